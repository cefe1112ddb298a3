/// The loading phase of a value; the last value stays during a reload and after a failure.
///
/// Integrators and fields have one. A field's value may be known to be nil, so the phase of a
/// `Field<Int>` is a `LoadPhase<Int?>`. A cancelled call leaves the phase as it was. (Seeds:
/// IDMCore, and MagneticFields' `LoadState`.)
public enum LoadPhase<Value: Sendable>: Sendable {
  /// No value is known, and no call is under way.
  case idle
  /// A call is under way, or waits for its turn; the last known value stays.
  case loading(previous: Value?)
  /// The value is loaded.
  case loaded(Value)
  /// The last call failed; the last known value stays.
  case failed(any Error, previous: Value?)
}

extension LoadPhase {
  /// The known value, in any phase.
  public var value: Value? {
    switch self {
    case .idle: nil
    case .loading(let previous), .failed(_, let previous): previous
    case .loaded(let value): value
    }
  }

  /// The error of the last call if it failed, otherwise nil.
  public var error: (any Error)? {
    if case .failed(let error, _) = self { error } else { nil }
  }

  /// Whether a call is under way, or waits for its turn.
  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }

  /// Whether the value is loaded, and no call is under way.
  public var isLoaded: Bool {
    if case .loaded = self { true } else { false }
  }
}
