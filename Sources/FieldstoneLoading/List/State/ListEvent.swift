import FieldstoneCore

/// The subject of a list's load.
public enum ListLoad: Sendable, Hashable {
  /// The whole list.
  case reload(ReloadMode)
  /// A page at an edge.
  case page(PageDirection)
}

/// The end of a list's load, for its observers; a cancelled load has none.
///
/// (Seed: ModelBlocks' `addItemDidFetchHandler` and `addFetchingFailureHandler`.)
public enum ListEvent: Sendable {
  /// The load succeeded; its items are in the list.
  case loaded(ListLoad, PageReport)
  /// The load failed; items and cursors are as before it.
  case failed(ListLoad, any Error)
}

/// The report of a load of a list.
public struct PageReport: Sendable, Hashable {
  /// The number of loaded pages; several if pages without new items were skipped, or in a reload.
  public var pageCount: Int

  /// The number of new items; for a reload, the number of items.
  public var addedCount: Int

  /// The number of duplicate items, which kept their place and took the newer value.
  public var duplicateCount: Int

  /// Makes a report.
  @inlinable
  public init(pageCount: Int = 0, addedCount: Int = 0, duplicateCount: Int = 0) {
    self.pageCount = pageCount
    self.addedCount = addedCount
    self.duplicateCount = duplicateCount
  }

  static func += (report: inout PageReport, other: PageReport) {
    report.pageCount += other.pageCount
    report.addedCount += other.addedCount
    report.duplicateCount += other.duplicateCount
  }
}

/// Notifies the observers of a list, one event at a time.
@MainActor
final class ListObservers {
  private let callbacks = Multicast<@MainActor (ListEvent) -> Void>()
  private var waiting = FIFO<ListEvent>()
  private var isNotifying = false

  func add(_ callback: @escaping @MainActor (ListEvent) -> Void) -> Registration {
    callbacks.add(callback)
  }

  /// Notifies all observers; an event that occurs meanwhile follows this one for every observer.
  func notify(_ event: ListEvent) {
    waiting.append(event)
    guard !isNotifying else { return }
    isNotifying = true
    while let event = waiting.popFirst() { callbacks.invokeEach { $0(event) } }
    isNotifying = false
  }
}
