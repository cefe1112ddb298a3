import FieldstoneCore

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

/// The report of a load of a list.
public struct PageReport: Sendable, Hashable {
  /// How many pages it took; several when some had nothing new, or when all were reloaded.
  public var pageCount: Int

  /// How many items are new; of a reload, how many there are.
  public var addedCount: Int

  /// How many items were there before: they kept their place and took the newer value.
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

/// Notifies the observers of a list, one event after the other.
@MainActor
final class ListObservers {
  private let callbacks = Multicast<@MainActor (ListEvent) -> Void>()
  private var waiting = FIFO<ListEvent>()
  private var isNotifying = false

  func add(_ callback: @escaping @MainActor (ListEvent) -> Void) -> Registration {
    callbacks.add(callback)
  }

  /// Notifies all; an event that arises meanwhile comes after this one, for every observer.
  func notify(_ event: ListEvent) {
    waiting.append(event)
    guard !isNotifying else { return }
    isNotifying = true
    while let event = waiting.popFirst() { callbacks.invokeEach { $0(event) } }
    isNotifying = false
  }
}
