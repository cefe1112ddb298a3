/// Something that a list was asked to load.
public enum ListLoad: Sendable, Hashable {
  /// The whole list, anew.
  case reload(ReloadMode)
  /// A page at an edge.
  case page(PageDirection)
}

/// The end of a load of a list, for its observers; a load that was cancelled has none.
///
/// (Seed: ModelBlocks' `addItemDidFetchHandler` and `addFetchingFailureHandler`.)
public enum ListEvent: Sendable {
  /// The load has brought its items, which are in the list by now.
  case loaded(ListLoad, PageReport)
  /// The load has failed; items and cursors are what they were before it.
  case failed(ListLoad, any Error)
}

extension ListEvent {
  /// What was loaded.
  public var load: ListLoad {
    switch self {
    case .loaded(let load, _), .failed(let load, _): load
    }
  }

  /// Why the load failed, otherwise nil.
  public var error: (any Error)? {
    if case .failed(_, let error) = self { error } else { nil }
  }
}
