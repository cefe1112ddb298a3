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

/// What a form is doing.
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

/// What assistive technology should read out, once.
public struct FormAnnouncement: Sendable, Hashable, Identifiable {
  /// It grows with each announcement, so that equal texts are read out again.
  public let id: Int

  /// What to read out.
  public let text: String
}
