import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation

/// A person who forks runs, or changes many of them at once, by a journal that fails.
extension Simulation {
  /// The attribute of the runs that are changed together.
  static let crowd: [String: RunAttribute] = ["crowd": .boolean(true)]

  func change(by journal: FaultyJournal) async throws {
    try await world.nap(upTo: 60)
    if world.percent() < 40 {
      for _ in 0..<world.number(1...3) {
        try await fork(by: journal)
        try await world.nap(upTo: 30)
      }
    } else {
      try await changeCrowd(by: journal)
    }
  }

  /// Forks a run by chance, at one of its stages.
  private func fork(by journal: FaultyJournal) async throws {
    let runs = try await world.memory.runs(RunQuery(limit: 1_000)).runs
    guard !runs.isEmpty else { return }
    let run = runs[world.number(0...(runs.count - 1))]
    let fork = RunFork(run.id, from: world.number(0...run.sequence), by: "person")
    let id = newID()
    do {
      let new = try await journal.fork(
        fork, checkedBy: .flows([flow("person") {}]), at: now
      ) { _ in id }
      if try await world.memory.run(new.id) == nil { world.violation("\(new.id) is no fork") }
    } catch JournalError.unavailable, DurableRunError.noStage {
      // It may be there all the same, and whole; a completion is no stage.
    }
  }

  /// Changes the crowd page by page; what fails or is stopped goes on at what was reported last.
  private func changeCrowd(by journal: FaultyJournal) async throws {
    let actions: [BulkChange.Action] = [
      .retry, .cancel, .pause(until: world.date(within: 60)), .fork(from: nil), .fork(from: 0),
      .purge, .signal(name: "crowd", payload: Data("1".utf8)),
    ]
    var query = RunQuery()
    query.attributes = Self.crowd
    let bulk = BulkChange(
      actions[world.number(0...(actions.count - 1))], of: query, id: newID())
    guard let youngest = try await world.memory.count(bulk).youngest else { return }
    let counted = try await crowd().filter { $0.id <= youngest && bulk.isAllowed(in: $0.state) }
    let call = BulkCall(by: "person", checkedBy: .flows([flow("person") {}]))
    let progress = Locked(BulkProgress())
    while true {
      let part = Task(executorPreference: world.executor) {
        try await journal.perform(
          bulk, upTo: youngest, after: progress.withLock { $0 }, call, at: now,
          report: { done in progress.withLock { $0 = done } })
      }
      if world.percent() < 30 {
        try await world.nap(upTo: 20)
        part.cancel()
      }
      switch await part.result {
      case .success(let done) where done.isDone:
        return try await examine(bulk, of: counted)
      case .success: break
      // The page that failed is done again.
      case .failure(JournalError.unavailable), .failure(is CancellationError): break
      case .failure(let error): return world.violation("\(bulk.action) ended by \(error)")
      }
      try await world.nap(upTo: 10)
    }
  }

  private func crowd() async throws -> [RunRecord] {
    try await world.memory.runs(RunQuery(limit: 1_000)).runs.filter {
      $0.attributes["crowd"] == Self.crowd["crowd"]
    }
  }

  /// Holds what a change has done, at its end, against the runs that were counted before.
  private func examine(_ bulk: BulkChange, of counted: [RunRecord]) async throws {
    let after = try await crowd()
    let states = Dictionary(uniqueKeysWithValues: after.map { ($0.id, $0.state) })
    let forks = Dictionary(grouping: after.filter { $0.origin != nil }) { $0.origin?.run }
    world.count("bulk")
    for run in counted {
      let number = forks[run.id]?.count ?? 0
      let sent = try await signals(bulk, to: run.id)
      switch bulk.action {
      case .cancel where states[run.id]?.isOver == false:
        world.violation("\(run.id) was not cancelled")
      case .purge where states[run.id] != nil: world.violation("\(run.id) was not purged")
      // A run that was over meanwhile may have been retried since.
      case .signal where sent.count > 1 || (sent.count == 0 && !sent.mayBeOver):
        world.violation("\(run.id) was sent the signal \(sent.count) times")
      // A run that completed meanwhile has no current stage.
      case .fork(let sequence) where number > 1 || (number == 0 && sequence != nil):
        world.violation("\(run.id) was forked \(number) times")
      default: break
      }
    }
    for fork in after {
      guard let origin = fork.origin, states[origin.run] == nil else { continue }
      world.violation("\(fork.id) is a fork of nothing")
    }
  }

  /// The signals that a run has of a change, by the audit, and whether it may have been over.
  private func signals(
    _ bulk: BulkChange, to id: RunID
  ) async throws -> (count: Int, mayBeOver: Bool) {
    guard case .signal = bulk.action else { return (0, true) }
    let rows = try await world.memory.audit(AuditQuery(subject: .run(id), limit: 1_000)).records
    let name = Data("\(bulk.id)-\(id)".utf8)
    let count = rows.count { $0.action == .signal && $0.after?.firstRange(of: name) != nil }
    let run = try await world.memory.run(id)
    let mayBeOver =
      run?.state.isOver ?? true || rows.contains { $0.action == .retry || $0.action == .edit }
    return (count, mayBeOver)
  }
}
