/// Where the loading at one edge of a list stands.
public enum ListEdgeState: Sendable {
  /// There is more to load, and no load is under way.
  case idle
  /// A page is being loaded.
  case loading
  /// The last page could not be loaded; there still is more, and it is not loaded automatically.
  case failed(any Error)
  /// There is no more.
  case end
}

extension ListEdgeState {
  /// Why the last page could not be loaded, otherwise nil.
  public var error: (any Error)? {
    if case .failed(let error) = self { error } else { nil }
  }

  /// Whether a page is being loaded.
  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }
}
