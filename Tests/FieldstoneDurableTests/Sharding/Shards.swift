import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation

/// Several journals in memory, each of which can be down.
final class Shards: Sendable {
  let memories: [InMemoryJournal]
  private let down = Locked<Set<Int>>([])
  /// The shards that were called, and the calls.
  let calls = Recorder<String>()
  private let generator = Locked(SeededGenerator(seed: 20))
  let time = ManualTime(now: Date(timeIntervalSince1970: 1_800_000_000), uptime: .seconds(1_000))

  init(_ count: Int) {
    memories = (0..<count).map { _ in InMemoryJournal() }
  }

  func set(_ shard: Int, isDown: Bool) {
    down.withLock { down in
      if isDown { down.insert(shard) } else { down.remove(shard) }
    }
  }

  /// The journals as they are given to a sharded one.
  var journals: [any Journal] {
    memories.enumerated().map { index, memory in
      JournalProxy(journal: memory) { call in
        self.calls.record("\(index) \(call)")
        if self.down.withLock({ $0.contains(index) }) {
          throw JournalError.unavailable("shard \(index) is down")
        }
      }
    }
  }

  func open(flowsOnOneShard flows: Set<String> = []) async throws -> ShardedJournal {
    try await ShardedJournal(journals, flowsOnOneShard: flows, time: time.source)
  }

  var now: JournalTime { JournalTime(time.source, boot: "boot") }

  func newID(slot: UInt16? = nil) -> RunID {
    let date = time.now
    return generator.withLock { RunID(at: date, slot: slot, using: &$0) }
  }

  /// A slot of a shard, where the slots were divided evenly.
  func slot(of shard: Int) -> UInt16 {
    UInt16(65_536 * shard / memories.count + 7)
  }

  func start(
    in shard: Int, flow: String = "flow", key: String? = nil, concurrencyKey: String? = nil
  ) -> RunStart {
    let route = (concurrencyKey ?? key).map { RunID.slot(of: flow, key: $0) }
    return RunStart(
      id: newID(slot: route ?? slot(of: shard)), flow: flow, version: 1, key: key,
      payload: Data("1".utf8), concurrencyKey: concurrencyKey)
  }

  func request(
    _ worker: String = "worker", room: Int = 100, limit: Int = .max, flow: String = "flow",
    lease: Duration = .seconds(60), _ quarantine: ClaimRequest.Quarantine = .disregarded
  ) -> ClaimRequest {
    ClaimRequest(
      worker: worker, flows: [.init(flow: flow, version: 1, limit: room)], lease: lease,
      limit: limit, quarantine: quarantine)
  }

  /// A key of a flow whose slot a shard has.
  func key(in shard: Int, flow: String = "flow", but keys: Set<String> = []) -> String {
    let range = 65_536 * shard / memories.count..<65_536 * (shard + 1) / memories.count
    for number in 0... where !keys.contains("\(number)") {
      if range.contains(Int(RunID.slot(of: flow, key: "\(number)"))) { return "\(number)" }
    }
    return ""
  }
}

extension RunRecord {
  /// The claim of the worker that has it.
  var held: RunClaim { RunClaim(id: id, sequence: sequence, fence: fence) }
}
