/// What is known of a value being right. (Seed: MagneticFields' `ValidationState`.)
public enum ValidationState: Sendable, Hashable {
  /// It has not been validated since it was set.
  case unknown
  /// Asynchronous rules are being asked, or will be when the debounce is over.
  case validating
  /// All rules hold.
  case valid
  /// It can't be accepted, and this is why; warnings may be among the issues.
  case invalid([FieldIssue])
}

extension ValidationState {
  /// Whether all rules are known to hold.
  public var isValid: Bool { self == .valid }

  /// Whether it is known that the value can't be accepted.
  public var isInvalid: Bool {
    if case .invalid = self { true } else { false }
  }

  /// Why the value can't be accepted; empty in all other states.
  public var issues: [FieldIssue] {
    if case .invalid(let issues) = self { issues } else { [] }
  }
}
