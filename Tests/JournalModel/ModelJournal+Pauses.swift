import FieldstoneDurable
import Foundation

extension ModelJournal {
  mutating func pause(_ target: PauseTarget, until date: Date?) throws(JournalError) {
    if case .run(let id) = target {
      guard let run = runs.first(where: { $0.id == id }) else { throw .noRun(id) }
      if run.state.isOver { throw .notAllowed(id, state: run.state, action: "paused") }
    }
    pauses.removeAll { $0.target == target }
    pauses.append(JournalPause(target, until: date))
    isProtocolDemanded = true
  }

  mutating func resume(_ target: PauseTarget) -> Bool {
    defer { pauses.removeAll { $0.target == target } }
    return pauses.contains { $0.target == target }
  }

  var sortedPauses: [JournalPause] {
    func words(_ target: PauseTarget) -> [String] {
      switch target {
      case .flow(let name): ["0", name]
      case .concurrencyKey(let key, flow: let name): ["1", name, key]
      case .run(let id): ["2", id.description]
      }
    }
    return pauses.sorted { words($0.target).lexicographicallyPrecedes(words($1.target)) }
  }

  func isPaused(_ run: ModelRun) -> Bool {
    pauses.contains {
      switch $0.target {
      case .flow(let name): name == run.flow
      case .concurrencyKey(let key, flow: let name): name == run.flow && key == run.concurrencyKey
      case .run(let id): id == run.id
      }
    }
  }
}
