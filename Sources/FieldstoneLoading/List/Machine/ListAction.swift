package import FieldstoneCore

/// An action of a list's shell after a transition; actions are performed in order.
package enum ListAction<Cursor> {
  /// Load a page, and then call ``ListMachine/finish(_:with:)`` with the load's number.
  case load(Int, PageRequest<Cursor>)
  /// Stop a load, whose result is dropped.
  case stop(Int)
  /// End a call.
  case end(Int, Outcome<PageReport>)
  /// Notify observers of the state's parts.
  case tell(ListChanges)
  /// Notify observers of events.
  case notify(ListEvent)
}

extension ListAction {
  /// Notifies event observers of the end of a load, unless it was cancelled.
  static func notify(_ load: ListLoad, _ outcome: Outcome<PageReport>) -> [ListAction] {
    switch outcome {
    case .success(let report): [.notify(.loaded(load, report))]
    case .failure(let error): [.notify(.failed(load, error))]
    case .cancelled: []
    }
  }
}

/// Parts of the state of a list that may have changed.
@usableFromInline
package struct ListChanges: OptionSet, Sendable {
  @usableFromInline package let rawValue: UInt8

  @inlinable
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  @inlinable package static var items: ListChanges { ListChanges(rawValue: 1) }
  @inlinable package static var refresh: ListChanges { ListChanges(rawValue: 2) }
  @inlinable package static var next: ListChanges { ListChanges(rawValue: 4) }
  @inlinable package static var previous: ListChanges { ListChanges(rawValue: 8) }
  package static var all: ListChanges { [.items, .refresh, .next, .previous] }

  static func edge(_ direction: PageDirection) -> ListChanges {
    direction == .next ? .next : .previous
  }
}
