import FieldstoneCore
import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation
import Testing

@Suite("What every journal promises, over several journals", .timeLimit(.minutes(20)))
struct ShardedConformanceTests {
  private typealias Promise = JournalConformanceError.Promise

  /// The promises that are found broken.
  private func broken(_ suite: JournalConformance<ShardedJournal>) async throws -> Set<Promise> {
    do {
      try await suite.check()
      return []
    } catch let error as JournalConformanceError {
      for failure in error.failures { print("- \(failure.promise): \(failure.detail)") }
      return Set(error.failures.map(\.promise))
    }
  }

  private static func empty(_ count: Int) -> [any Journal] {
    (0..<count).map { _ in InMemoryJournal() }
  }

  @Test("The runs of a slot have all promises, in whatever shard they are", arguments: 1...3)
  func slot(count: Int) async throws {
    let numbers = Locked(0)
    var suite = JournalConformance {
      // Each trial in another shard.
      let number = numbers.withLock { number in
        number += 1
        return number
      }
      return try await ShardedJournal(
        Self.empty(count), allIn: UInt16(truncatingIfNeeded: number &* 25_033))
    }
    suite.slot = { $0.slotOfRun(in: "flow", key: nil) }
    suite.openAnother = { $0 }
    // A pause or a limit of a flow leaves a row in each shard.
    #expect(try await broken(suite).subtracting([.audit]) == [])
  }

  /// What is weaker by design among runs of several slots, as the documentation of `ShardedJournal` says.
  private static let weaker: [Promise: String] = [
    // Their trials start runs with keys under identifiers of any slot, which is refused.
    .key: "a key leads to one slot", .takenKey: "the same", .starts: "the same",
    .start: "the same", .claim: "the same", .waits: "the same", .fork: "the same",
    .purgeOfRun: "the same", .count: "the same",
    .checkpoint: "a checkpoint starts and signals runs of its own shard",
    .audit: "a change of a flow or a key leaves a row in each shard",
    .keyLimit: "the same", .exclusive: "the same", .pages: "the same", .filter: "the same",
    .changes: "the same", .purge: "the same", .pause: "the same", .pauseEnd: "the same",
    .standing: "the same", .attributes: "the same", .deadline: "the same",
    .schedules: "a schedule and its runs have one slot", .scheduleOnce: "the same",
    .scheduleDue: "the same",
    .order: "what is taken over comes first, then the longest due, in each shard",
    .priority: "a higher priority goes first in each shard",
    .quarantine: "groups are made in each shard",
    .alone: "company in another shard is not seen",
    .flowLimit: "a limit is split, and may not be smaller than the number of shards",
    .limits: "the same",
    .keyPlaces: "the runs of a key are where its slot is",
    .rate: "a rate is split",
    .children: "children are where their parent is",
    .join: "the same",
    .orphans: "the same",
    .childOutcomes: "the same",
    .outgoing: "a checkpoint starts and signals runs of its own shard",
  ]

  @Test("Identifiers of any slots lose only what the documentation names", arguments: 2...3)
  func slots(count: Int) async throws {
    let suite = JournalConformance { try await ShardedJournal(Self.empty(count)) }
    let broken = try await broken(suite)
    #expect(broken.subtracting(Self.weaker.keys) == [])
    // Those that no chance can hide.
    #expect(broken.isSuperset(of: [.key, .limits, .rate]))
  }
}
