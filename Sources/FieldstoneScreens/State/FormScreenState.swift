public import FieldstoneFields

/// What a screen with a form shows, as a pure function of what is known.
public enum FormScreenState: Sendable {
  /// The form is there to be filled in.
  case editing
  /// It is being submitted: fields are shown and can't be submitted again.
  case submitting
  /// It was submitted.
  case submitted
  /// It was not submitted; what is wrong is shown at the fields, and the error besides.
  case failed(any Error)

  /// The state for what a form is doing and how it was submitted last.
  ///
  /// | the form is | failed | otherwise |
  /// | --- | --- | --- |
  /// | edited | `failed` | `editing` |
  /// | validated or sent | `submitting` | `submitting` |
  /// | submitted | `submitted` | `submitted` |
  ///
  /// - Parameters:
  ///   - phase: what the form is doing.
  ///   - error: why the last submit failed; nil once the form was edited.
  public init(_ phase: FormPhase, error: (any Error)? = nil) {
    switch phase {
    case .validating, .submitting: self = .submitting
    case .submitted: self = .submitted
    case .editing: self = error.map { .failed($0) } ?? .editing
    }
  }
}

extension FormScreenState {
  /// Why it was not submitted, otherwise nil.
  public var error: (any Error)? {
    if case .failed(let error) = self { error } else { nil }
  }

  /// Whether it is being submitted.
  public var isBusy: Bool {
    if case .submitting = self { true } else { false }
  }
}
