import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

/// Random calls on several journals that go down and come back, whose answers get lost.
@Suite("Shards that go down and come back", .timeLimit(.minutes(20)))
struct ShardedPropertyTests {
  private final class World: Sendable {
    struct State {
      var random: SeededGenerator
      var down: Set<Int> = []
      /// How many calls of a hundred lose their answer.
      var losses = 5
    }

    let shards: Shards
    let state: Locked<State>

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      shards = Shards(Int.random(in: 2...4, using: &random))
      state = Locked(State(random: random))
    }

    func number(_ range: Range<Int>) -> Int {
      state.withLock { Int.random(in: range, using: &$0.random) }
    }

    var journals: [any Journal] {
      shards.memories.enumerated().map { index, memory in
        JournalProxy(
          journal: memory,
          before: { _ in
            if self.state.withLock({ $0.down.contains(index) }) {
              throw JournalError.unavailable("down")
            }
          },
          after: { _ in
            if self.number(0..<100) < self.state.withLock({ $0.losses }) {
              throw JournalError.unavailable("the answer is lost")
            }
          })
      }
    }
  }

  /// Passes over what a shard that is down has thrown.
  private func attempt<Value>(_ body: () async throws -> Value) async throws -> Value? {
    do { return try await body() } catch let error as JournalError {
      switch error {
      case .unavailable, .claimLost: return nil
      default: throw error
      }
    }
  }

  @Test("All runs end, no chain is broken, no fence given twice, no key is there twice")
  func randomCalls() async throws {
    for seed in 0..<UInt64(Rounds.of(400)) { try await play(seed) }
  }

  private func play(_ seed: UInt64) async throws {
    let world = World(seed: seed)
    world.state.withLock { $0.losses = 0 }
    let journal = try await ShardedJournal(world.journals)
    world.state.withLock { $0.losses = 5 }
    let shards = world.shards
    var held: [RunRecord] = []
    var fences: Set<String> = []
    var accepted: Set<RunID> = []

    func claim() async throws {
      let worker = "worker \(world.number(0..<3))"
      let request = shards.request(worker, room: world.number(1..<6))
      let runs = try await attempt { try await journal.claim(request, at: shards.now).runs } ?? []
      for run in runs.map(\.record) {
        #expect(fences.insert("\(run.id) \(run.fence)").inserted, "seed \(seed)")
        held.append(run)
      }
      #expect(runs.count <= request.flows[0].limit, "seed \(seed)")
    }
    func goOn(_ run: RunRecord, to next: Checkpoint.Next) async throws -> Bool {
      try await attempt {
        try await journal.checkpoint(
          Checkpoint(
            claim: run.held, version: 1, next: next, beganAt: shards.time.now,
            lease: .seconds(60)), at: shards.now)
      } != nil
    }

    for _ in 0..<120 {
      switch world.number(0..<12) {
      case 0...3:
        let key = world.number(0..<3) == 0 ? nil : "\(world.number(0..<12))"
        let start = shards.start(in: world.number(0..<shards.memories.count), key: key)
        if let record = try await attempt({ try await journal.start(start, at: shards.now) }) {
          accepted.insert(record.id)
        }
      case 4, 5: try await claim()
      case 6, 7:
        guard let run = held.popLast() else { break }
        let nexts: [Checkpoint.Next] = [
          .stage(Data("2".utf8)), .completion(Data("3".utf8)),
          .waiting(Data("4".utf8), until: shards.time.now + 5),
        ]
        if try await goOn(run, to: nexts[world.number(0..<3)]),
          let now = try await attempt({ try await journal.run(run.id) }), let now,
          now.state == .running
        {
          held.append(now)
        }
      case 8:
        let lost = try await attempt {
          try await journal.renew(held.map(\.held), lease: .seconds(60), at: shards.now)
        }
        held.removeAll { lost?.contains($0.held) ?? false }
      case 9:
        if held.isEmpty { break }
        let run = held.removeFirst()
        _ = try await attempt {
          try await journal.park(
            Parking(claim: run.held, reason: .retry(at: shards.time.now + 2, error: "no")),
            at: shards.now)
        }
      case 10:
        let shard = world.number(0..<shards.memories.count)
        world.state.withLock { state in
          if state.down.remove(shard) == nil { state.down.insert(shard) }
        }
      default: shards.time.advance(by: .seconds(world.number(1..<40)))
      }
    }

    // All are back: what was accepted comes to its end.
    world.state.withLock { state in
      state.down = []
      state.losses = 0
    }
    for _ in 0..<40 {
      shards.time.advance(by: .seconds(61))
      held = []
      try await claim()
      for run in held { _ = try await goOn(run, to: .completion(Data("9".utf8))) }
    }
    var findings: [String] = []
    try await journal.verify { findings.append("\($0)") }
    #expect(findings == [], "seed \(seed)")
    var query = RunQuery(limit: 7)
    var runs: [RunRecord] = []
    repeat {
      let page = try await journal.runs(query)
      runs += page.runs
      query.before = page.next
    } while query.before != nil
    #expect(accepted.isSubset(of: runs.map(\.id)), "seed \(seed)")
    #expect(runs.allSatisfy { $0.state == .completed }, "seed \(seed)")
    #expect(runs.map(\.id) == runs.map(\.id).sorted(by: >), "seed \(seed)")
    let keys = runs.compactMap(\.key)
    #expect(Set(keys).count == keys.count, "seed \(seed)")
  }
}
