import FieldstoneCore
public import FieldstoneFields
public import Observation

/// A form: fields in sections, with the state to display, validate and submit them. (Seed: Mold's
/// forms.)
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
/// form follows. It retains its fields; they do not retain it.
@MainActor
@Observable
public final class FormModel {
  /// Fields under a title, in the order of the screen.
  public struct Section: Identifiable {
    /// Its index among the sections.
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

  /// The listed fields that the form omits, because no text format reads values of their type.
  ///
  /// They are also reported on standard error when the form is made.
  @ObservationIgnored public let refusals: [FormError]

  /// When fields are validated.
  @ObservationIgnored public var timing: FormTiming

  /// The language of the issues; the current catalogue if it is nil.
  public var language: FieldMessages?

  /// The phase of editing and submitting.
  public internal(set) var phase = FormPhase.editing

  /// The field that has the focus; screens set it, and follow it when the form sets it.
  ///
  /// Setting it to a field of another form does nothing.
  public var focusedField: FormField? {
    get { focus }
    set { if newValue == nil || newValue?.form === self { moveFocus(to: newValue) } }
  }

  /// The text that assistive technology should read out now: one text for all issues.
  public internal(set) var announcement: FormAnnouncement?

  /// Issues that belong to no field of the form.
  ///
  /// They come from form rules without a target, and from reports for keys that no field has.
  public var issues: [FieldIssue] {
    ownIssues + reported.valuesInOrder.flatMap(\.self)
  }

  /// The number of fields that differ from the baseline.
  public internal(set) var modifiedCount = 0

  /// Whether a field differs from the baseline.
  public var isModified: Bool { modifiedCount > 0 }

  /// Whether the user has visited a field.
  public var isTouched: Bool { fields.contains(where: \.isTouched) }

  /// The number of fields that are known to be invalid.
  public internal(set) var invalidCount = 0

  /// The number of edits, restores and fills.
  package internal(set) var editCount = 0

  /// Whether there is an edit to undo.
  public internal(set) var canUndo = false

  /// Whether there is an edit to redo.
  public internal(set) var canRedo = false

  var focus: FormField?
  var ownFindings = FormFindings()
  var reported: [String: [FieldIssue]] = [:]

  @ObservationIgnored var history: FormHistory
  @ObservationIgnored var rules = FormRules()
  @ObservationIgnored var mappings: [ObjectIdentifier: AnyObject] = [:]
  @ObservationIgnored var wasSubmitted = false

  /// True while values are being restored.
  @ObservationIgnored var isRestoring = false

  /// The fields that were set meanwhile.
  @ObservationIgnored var restored: [FormField] = []

  /// What was last restored inside a batch or an observer.
  @ObservationIgnored var restoration: FormRestoration?

  /// The number of fills and resets, and the number of fills: running work checks that they are
  /// unchanged.
  package var beginningCount = 0
  @ObservationIgnored package var fillingCount = 0
  @ObservationIgnored private let fieldsByKey: [String: FormField]
  @ObservationIgnored let fieldsByIdentity: [ObjectIdentifier: FormField]

  /// Makes a form.
  ///
  /// A field whose value can't be typed is refused: the form omits it, and lists it in
  /// ``refusals``. Strings, numbers, booleans and types that are `DefaultTransformable` can be
  /// typed. Fields of other types need `text(as:)` or `transform(with:)` first.
  ///
  /// - Parameters:
  ///   - timing: when fields are validated.
  ///   - undoLimit: how many edits can be undone; older ones are dropped.
  ///   - sections: its sections, or its fields if it has no sections, one a line. For a field that
  ///     is listed twice, the first place counts.
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

  /// The field with a key; the first one if several have it.
  public subscript(key: String) -> FormField? { fieldsByKey[key] }

  /// The form's state of a field; nil if the field is not in this form.
  public subscript(field: AnyField) -> FormField? { fieldsByIdentity[ObjectIdentifier(field)] }

  /// The message catalogue of this form.
  public var messages: FieldMessages { language ?? .current }

  /// The findings of the form's rules that belong to no field.
  var ownIssues: [FieldIssue] { ownFindings.allIssues }

  /// Whether everything is known to be valid; no rules are run.
  public var isKnownValid: Bool {
    ownFindings.isEmpty && fields.allSatisfy { $0.state.isValid }
  }

  /// The first field that is known to be invalid, in declared order.
  public var firstInvalidField: FormField? { fields.first { $0.state.isInvalid } }
}

/// The time when a form validates a field by itself.
///
/// It is the same for each change of the field: by the user, by other code, or by a binding.
public enum FormTiming: Sendable, Hashable, CaseIterable {
  /// On submit, and after the first submit also at each change.
  case onSubmit
  /// When the field loses the focus; once it was validated, also at each change. A change of a
  /// field without the focus is validated at once.
  case onBlur
  /// At each change.
  case onChange
}

/// The phase of a form.
///
/// It is a form's display state, and not the life cycle of a call: the next edit returns it to
/// ``editing``. A submit is one `async` call, whose caller gets the outcome.
public enum FormPhase: Sendable, Hashable {
  /// It is being edited.
  case editing
  /// It is being submitted, and the rules are running.
  case validating
  /// It is being submitted, and the values are being sent.
  case submitting
  /// It was submitted, and has not been edited since.
  case submitted

  /// Whether it is being submitted.
  public var isBusy: Bool { self == .validating || self == .submitting }
}

/// A text that assistive technology should read out, once.
public struct FormAnnouncement: Sendable, Hashable, Identifiable {
  /// A number that increases with each announcement, so that equal texts are read out again.
  public let id: Int

  /// The text.
  public let text: String
}
