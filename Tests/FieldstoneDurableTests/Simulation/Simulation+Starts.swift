import FieldstoneCore
import FieldstoneDurable
import Foundation

/// The starts of runs, by people, in all ways that there are.
extension Simulation {
  /// A start of a run, with what chance gives it.
  ///
  /// - Parameter keys: how many of a hundred have a key, which another run of the flow may have.
  func newStart(length: Int, keys: Int = 30) -> RunStart {
    let stage = SimulatedStage(length: length)
    var start = RunStart(
      id: newID(), flow: "simulated", version: 1,
      payload: (try? StageJSON.data(of: stage)) ?? Data(),
      concurrencyKey: world.percent() < 60 ? "\(world.number(0...1))" : nil)
    if world.percent() < 20 { start.priority = world.number(-2...2) }
    if world.percent() < 12 { start.notBefore = world.date(within: 60) }
    if world.percent() < 15 { start.deadline = world.date(within: 120) }
    if world.percent() < keys {
      start.key = "order \(world.number(0...1))"
      start.ifTaken =
        [.existing, .replaceUnlessBegun, .restartIfOver, .restartIfOver][
          world.number(0...3)]
    }
    world.starts(start)
    return start
  }

  /// Starts some runs in one call.
  func startMany() {
    let starts = (0..<world.number(3...8)).map { _ in newStart(length: world.number(0...2)) }
    let time = now
    let answers = awaited { [world] in await world.memory.start(starts, at: time) } ?? []
    world.count("many")
    for (start, answer) in zip(starts, answers) {
      guard case .success(let run) = answer else {
        world.violation("\(start.id) was not started: \(answer)")
        continue
      }
      // Later starts of the call may have replaced its stage.
      if start.key == nil { world.answered(start, by: run) }
    }
    if answers.count != starts.count { world.violation("\(answers.count) starts were answered") }
  }

  /// Starts some runs meanwhile; what fails is repeated, with the same identifier.
  func startLater(by journal: FaultyJournal) async throws {
    // Many at a time where they come one after the other.
    let isOrdered = limits?.perKey?.maximum == 1
    for _ in 0..<world.number(1...(isOrdered ? 6 : 4)) {
      try await world.nap(upTo: isOrdered ? 15 : 120)
      let start = newStart(length: world.number(0...4), keys: isOrdered ? 20 : 80)
      var isFirst = true
      while true {
        do {
          let run = try await journal.start(start, at: now)
          if isFirst { world.answered(start, by: run) }
          break
        } catch JournalError.unavailable {
          isFirst = false
          try await world.nap(upTo: 10)
        }
      }
    }
  }
}
