/// Where the reloading of a list stands.
public enum ListRefreshState: Sendable {
  /// Nothing is reloaded, and the last reload did not fail.
  case idle
  /// A reload is under way.
  case loading(ReloadMode)
  /// The last reload failed; items and cursors are what they were before it.
  case failed(any Error, ReloadMode)
}

extension ListRefreshState {
  /// Why the last reload failed, otherwise nil.
  public var error: (any Error)? {
    if case .failed(let error, _) = self { error } else { nil }
  }

  /// Whether a reload is under way.
  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }
}
