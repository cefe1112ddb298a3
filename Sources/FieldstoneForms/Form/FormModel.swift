import FieldstoneCore
public import FieldstoneFields
public import Observation

/// A form: fields in sections, with what a screen needs to show them, to validate them and to
/// submit them. (Seed: Mold's forms.)
///
/// ```swift
/// @MainActor final class AirportForm {
///   let name = Field<String>("Name").require(.notBlank)
///   let latitude = Field<Double>("Latitude").require(.range(-90...90))
///   private(set) lazy var form = FormModel {
///     FormSection("Airport") { name; latitude }
///   }
/// }
/// ```
///
/// The fields work as they do without the form: any code can set, bind and observe them, and the
/// form follows. It keeps its fields alive, and they do not keep it.
@MainActor
@Observable
public final class FormModel {
  /// Fields under titles, for a screen to show one after the other.
  public struct Section: Identifiable {
    /// Where it is among the sections.
    public let id: Int

    /// The title that people read above it; empty for none.
    public let title: String

    /// Its fields, in their order.
    public let fields: [FormField]
  }

  /// The sections in declared order.
  @ObservationIgnored public let sections: [Section]

  /// The fields of all sections in declared order.
  @ObservationIgnored public let fields: [FormField]

  /// The fields that were listed and that the form does not have, because no text format reads
  /// values of their type.
  ///
  /// They are also reported on standard error when the form is made.
  @ObservationIgnored public let refusals: [FormError]

  /// When fields are validated.
  @ObservationIgnored public var timing: FormTiming

  /// The language of the issues; the current catalogue where it is nil.
  public var language: FieldMessages?

  /// The phase of editing and submitting.
  public internal(set) var phase = FormPhase.editing

  /// The field that has the focus; screens set it, and follow it where the form sets it.
  ///
  /// Setting it to a field of another form does nothing.
  public var focusedField: FormField? {
    get { focus }
    set { if newValue == nil || newValue?.form === self { moveFocus(to: newValue) } }
  }

  /// The text for assistive technology to read out now: one text for all issues.
  public internal(set) var announcement: FormAnnouncement?

  /// Issues that belong to no field: of form rules without one, and those reported for keys that
  /// no field has.
  public var issues: [FieldIssue] {
    ownIssues + reported.valuesInOrder.flatMap(\.self)
  }

  /// How many fields differ from what the form was filled with.
  public internal(set) var modifiedCount = 0

  /// Whether a field differs from what the form was filled with.
  public var isModified: Bool { modifiedCount > 0 }

  /// Whether the person has been at a field.
  public var isTouched: Bool { fields.contains(where: \.isTouched) }

  /// How many fields are known to be invalid.
  public internal(set) var invalidCount = 0

  /// The number of edits, restores and fills.
  package internal(set) var editCount = 0

  /// Whether there is an edit to take back.
  public internal(set) var canUndo = false

  /// Whether there is an edit to make again.
  public internal(set) var canRedo = false

  var focus: FormField?
  var ownFindings = FormFindings()
  var reported: [String: [FieldIssue]] = [:]

  @ObservationIgnored var history: FormHistory
  @ObservationIgnored var rules = FormRules()
  @ObservationIgnored var mappings: [ObjectIdentifier: AnyObject] = [:]
  @ObservationIgnored var wasSubmitted = false

  /// Whether what is set is no edit.
  @ObservationIgnored var isRestoring = false

  /// The fields that were heard of meanwhile.
  @ObservationIgnored var restored: [FormField] = []

  /// The delivery inside which fields were last put back, if it was inside one.
  @ObservationIgnored var restoringDelivery: FormHistory.Delivery?

  /// How often it was filled or reset, and how often filled: what is under way belongs to the time
  /// in which it began.
  @ObservationIgnored var beginningCount = 0
  @ObservationIgnored var fillingCount = 0
  @ObservationIgnored private let fieldsByKey: [String: FormField]
  @ObservationIgnored private let fieldsByIdentity: [ObjectIdentifier: FormField]

  /// Makes a form.
  ///
  /// A field whose value can't be typed is refused: the form does not have it, and says so in
  /// ``refusals``. Strings, numbers, booleans and types that are `DefaultTransformable` can be
  /// typed; other types need `text(as:)` or `transform(with:)` of the field before.
  ///
  /// - Parameters:
  ///   - timing: when fields are validated.
  ///   - undoLimit: how many edits can be taken back; older ones are forgotten.
  ///   - sections: its sections, or its fields where it has none, one a line. A field that is
  ///     listed twice counts where it is first.
  public init(
    timing: FormTiming = .onSubmit, undoLimit: Int = 100,
    @FormSectionBuilder sections: () -> [FormSection]
  ) {
    self.timing = timing
    history = FormHistory(limit: undoLimit)
    var made: [Section] = []
    var byIdentity: [ObjectIdentifier: FormField] = [:]
    var all: [FormField] = []
    var refusals: [FormError] = []
    for section in sections() {
      var fields: [FormField] = []
      for adapter in section.adapters where byIdentity[ObjectIdentifier(adapter.field)] == nil {
        guard adapter.hasTextFormat else {
          refusals.append(.noTextFormat(key: adapter.field.key, type: adapter.valueType))
          continue
        }
        let field = FormField(adapter, position: all.count)
        byIdentity[ObjectIdentifier(adapter.field)] = field
        fields.append(field)
        all.append(field)
      }
      made.append(Section(id: made.count, title: section.title, fields: fields))
    }
    self.sections = made
    fields = all
    fieldsByIdentity = byIdentity
    fieldsByKey = Dictionary(all.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    self.refusals = refusals
    for refusal in refusals { refusal.reportOnStandardError() }
    for field in all { follow(field) }
  }

  /// The field with a key; the first one where several have it.
  public subscript(key: String) -> FormField? { fieldsByKey[key] }

  /// A field as this form shows it; nil when it is not in this form.
  public subscript(field: AnyField) -> FormField? { fieldsByIdentity[ObjectIdentifier(field)] }

  /// The words of this form.
  public var messages: FieldMessages { language ?? .current }

  /// The findings of the form's rules that no field shows.
  var ownIssues: [FieldIssue] { ownFindings.allIssues }

  /// Whether all that is known is right and nothing is unknown; the rules are not asked.
  public var isKnownValid: Bool {
    ownFindings.isEmpty && fields.allSatisfy { $0.state.isValid }
  }

  /// The first field that is known to be invalid, in declared order.
  public var firstInvalidField: FormField? { fields.first { $0.state.isInvalid } }
}

/// When a form validates a field by itself.
///
/// It is the same for each change of the field: by the person, by other code, or by another field.
public enum FormTiming: Sendable, Hashable, CaseIterable {
  /// When it is submitted, and after the first time also at each change.
  case onSubmit
  /// When the field loses the focus; once it was validated, also at each change. A change of a
  /// field that does not have the focus is as good as an edit that is over.
  case onBlur
  /// At each change.
  case onChange
}

/// The phase of a form.
///
/// It is what a form shows, and not the life of a call: the next edit leads back to ``editing``. A
/// submit is one `async` call, whose caller gets the outcome.
public enum FormPhase: Sendable, Hashable {
  /// It is being edited.
  case editing
  /// It is being submitted, and the rules are being asked.
  case validating
  /// It is being submitted, and the values are on their way.
  case submitting
  /// It was submitted, and has not been edited since.
  case submitted

  /// Whether it is being submitted.
  public var isBusy: Bool { self == .validating || self == .submitting }
}

/// A text that assistive technology should read out, once.
public struct FormAnnouncement: Sendable, Hashable, Identifiable {
  /// It grows with each announcement, so that equal texts are read out again.
  public let id: Int

  /// The text.
  public let text: String
}
