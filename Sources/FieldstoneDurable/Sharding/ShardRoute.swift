/// Determines the shard of a flow's runs: a pure rule, the same in all processes.
struct ShardRoute: Sendable {
  /// The slot of a flow's runs with a key.
  var slotOfKey: @Sendable (_ flow: String, _ key: String) -> UInt16 = {
    RunID.slot(of: $0, key: $1)
  }
  /// Whether all runs of a flow are on one shard.
  var isOnOne: @Sendable (_ flow: String) -> Bool

  /// - Parameter flows: the flows whose runs all are on one shard.
  init(flowsOnOneShard flows: Set<String>) {
    isOnOne = { flows.contains($0) }
  }

  /// The slot that a run must have; nil for any.
  ///
  /// - Parameter key: the concurrency key, or the key if there is none.
  func slot(in flow: String, key: String?) -> UInt16? {
    isOnOne(flow) ? slotOfKey(flow, "") : key.map { slotOfKey(flow, $0) }
  }

  /// Throws for a start whose identifier and key lead to different shards.
  func check(_ start: RunStart) throws(JournalError) {
    let slot = slot(in: start.flow, key: start.concurrencyKey ?? start.key)
    if let slot, start.id.slot != slot { throw .slotOfKey(start.id) }
  }
}

/// Maps slots to shards.
struct ShardMap: Sendable {
  private let shards: [UInt16]

  /// - Parameter ranges: the slots of each shard; together they contain each slot once.
  init(_ ranges: [[ClosedRange<UInt16>]]) {
    var shards = [UInt16](repeating: 0, count: Int(UInt16.max) + 1)
    for (index, ranges) in ranges.enumerated() {
      for range in ranges {
        for slot in range { shards[Int(slot)] = UInt16(truncatingIfNeeded: index) }
      }
    }
    self.shards = shards
  }

  func shard(of slot: UInt16) -> Int { Int(shards[Int(slot)]) }
}
