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

/// The pages that a reload loads, and the items shown meanwhile.
///
/// | mode | loads | shows meanwhile | afterwards |
/// | --- | --- | --- | --- |
/// | ``firstPage`` | the first page | what was there | the first page |
/// | ``allLoaded`` | as many pages as are loaded | what was there | as many pages |
/// | ``reset`` | the first page | nothing | the first page |
///
/// When the network or the application comes back, use ``allLoaded``: the list does not shrink.
public enum ReloadMode: Sendable, Hashable, CaseIterable {
  /// The first page takes the place of everything once it is there: pulling to refresh.
  case firstPage
  /// As many pages as are loaded take their place, all of them or none.
  case allLoaded
  /// Everything is forgotten at once, and the list begins anew: another search, another user.
  case reset
}
