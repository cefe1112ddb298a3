import FieldstoneLoading

/// A screen over a list, with the calls that it has made.
final class ListSource<Item: Identifiable & Sendable, Cursor: Hashable & Sendable>: ScreenSource
where Item.ID: Sendable {
  private let list: PaginatedList<Item, Cursor>
  private let mode: ReloadMode
  private var calls: [ListCall] = []

  init(_ list: PaginatedList<Item, Cursor>, mode: ReloadMode) {
    self.list = list
    self.mode = mode
  }

  var knowledge: ScreenKnowledge { ScreenKnowledge(list) }

  func load() {
    keep([list.reload(mode)])
  }

  func retry() {
    let calls = list.retry()
    if !calls.isEmpty {
      keep(calls)
    } else if list.items.isEmpty, list.hasLoaded, list.hasMore, !list.refreshState.isLoading {
      // Pages without items were passed over, until there were too many: it goes on after them.
      keep([list.loadMore()])
    } else {
      load()
    }
  }

  func cancel() {
    let calls = calls
    self.calls = []
    for call in calls { call.cancel() }
  }

  private func keep(_ calls: [ListCall]) {
    self.calls.removeAll { $0.currentOutcome != nil }
    self.calls += calls
  }
}
