/// Where the loading of a value stands; the last value stays while it reloads and when it fails.
///
/// Integrators and fields have one. A field's value may be known to be nil, so the phase of a
/// `Field<Int>` is a `LoadPhase<Int?>`. A cancelled call leaves the phase as it was. (Seeds: IDMCore,
/// and MagneticFields' `LoadState`.)
public enum LoadPhase<Value: Sendable>: Sendable {
  /// Nothing is known, and nothing is on its way.
  case idle
  /// A call is under way, or waits for its turn; the value known so far stays.
  case loading(previous: Value?)
  /// The value is there.
  case loaded(Value)
  /// The last call failed; the value known so far stays.
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

  /// Why the last call failed, otherwise nil.
  public var error: (any Error)? {
    if case .failed(let error, _) = self { error } else { nil }
  }

  /// Whether a call is under way, or waits for its turn.
  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }

  /// Whether the value is there, and nothing is on its way.
  public var isLoaded: Bool {
    if case .loaded = self { true } else { false }
  }
}
