/// What is known of a value: nothing yet, that it is on its way, what it is, or why not.
///
/// A nil that is known differs from what is not known yet. Loading and failing keep the value that
/// was there before. (Seed: MagneticFields' `LoadState`.)
public enum LoadState<Value> {
  /// Nothing is known.
  case notLoaded
  /// It is being loaded; the value known before, if there was one, stays.
  case loading(previous: Value?)
  /// It is known, and may be known to be nil.
  case loaded(Value?)
  /// Loading failed; the value known before, if there was one, stays.
  case failed(any Error, previous: Value?)
}

extension LoadState: Sendable where Value: Sendable {}

extension LoadState {
  /// The value that is known, in whatever state; nil when it is nil or nothing is known.
  public var value: Value? {
    switch self {
    case .notLoaded: nil
    case .loading(let previous), .failed(_, let previous): previous
    case .loaded(let value): value
    }
  }

  /// Whether the value is known and nothing is under way.
  public var isLoaded: Bool {
    if case .loaded = self { true } else { false }
  }

  /// Whether it is being loaded.
  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }

  /// Why loading failed, otherwise nil.
  public var error: (any Error)? {
    if case .failed(let error, _) = self { error } else { nil }
  }
}
