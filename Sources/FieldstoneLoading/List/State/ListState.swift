/// The state of a list's reload.
public enum ListRefreshState: Sendable {
  /// No reload is under way, and the last one did not fail.
  case idle
  /// A reload is under way.
  case loading(ReloadMode)
  /// The last reload failed; items and cursors are as before it.
  case failed(any Error, ReloadMode)
}

extension ListRefreshState {
  /// The error of the last reload if it failed, otherwise nil.
  public var error: (any Error)? {
    if case .failed(let error, _) = self { error } else { nil }
  }

  /// Whether a reload is under way.
  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }
}

/// The state of loading at one edge of a list.
public enum ListEdgeState: Sendable {
  /// There is more to load, and no load is under way.
  case idle
  /// A page is being loaded.
  case loading
  /// The last load at the edge failed; there is more, but it is not loaded automatically.
  case failed(any Error)
  /// There is nothing more to load.
  case end
}

extension ListEdgeState {
  /// The error of the last page if it failed to load, otherwise nil.
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
/// | ``firstPage`` | the first page | the old items | the first page |
/// | ``allLoaded`` | as many pages as are loaded | the old items | as many pages |
/// | ``reset`` | the first page | nothing | the first page |
///
/// Use ``allLoaded`` when the network is available or the app is active again: the list does not
/// shrink.
public enum ReloadMode: Sendable, Hashable, CaseIterable {
  /// The first page replaces everything once it is loaded, as for pull to refresh.
  case firstPage
  /// As many pages as are loaded are replaced together, or not at all.
  case allLoaded
  /// Everything is removed at once and the list starts anew, as for another search or user.
  case reset
}
