import FieldstoneCore

/// Who in this process wants to hear that something has happened to a run.
final class RunNews: Sendable {
  private let listeners = Locked<[RunID: [ObjectIdentifier: Bell]]>([:])

  /// Wakes all who listen.
  func ring(_ id: RunID) {
    let bells = listeners.withLock { $0[id] } ?? [:]
    for bell in bells.values { bell.ring() }
  }

  fileprivate func add(_ bell: Bell, for id: RunID) {
    listeners.withLock { $0[id, default: [:]][ObjectIdentifier(bell)] = bell }
  }

  fileprivate func remove(_ bell: Bell, for id: RunID) {
    listeners.withLock { listeners in
      listeners[id]?[ObjectIdentifier(bell)] = nil
      if listeners[id]?.isEmpty == true { listeners[id] = nil }
    }
  }
}

/// One who listens, until it is released.
final class RunListener: Sendable {
  let bell = Bell()
  private let id: RunID
  private let news: RunNews

  init(_ id: RunID, of news: RunNews) {
    self.id = id
    self.news = news
    news.add(bell, for: id)
  }

  deinit { news.remove(bell, for: id) }
}
