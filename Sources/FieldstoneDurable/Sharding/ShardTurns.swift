/// The order in which claims ask the shards, and the shards that they skip for a while.
struct ShardTurns: Sendable {
  private struct Outage {
    var failures: Int
    /// When the failure was detected, by uptime.
    var since: Duration
    var until: Duration
  }

  private let count: Int
  private var first = 0
  private var outages: [Int: Outage] = [:]
  /// Whether a shard has given runs whose slots it had not when this process opened it.
  var haveSlotsMoved = false

  init(count: Int) { self.count = count }

  /// The skipped shards.
  var leftOut: [Int] { outages.keys.sorted() }

  /// The shards that a claim asks, in order.
  ///
  /// Failed shards come first once their pause is over: while a claim waits for one, it holds no
  /// lease of another shard that could expire. The others take turns at being first, so that a full
  /// shard starves none. If all are skipped, all are asked.
  mutating func next(at uptime: Duration) -> [Int] {
    let rotated = (0..<count).map { (first + $0) % count }
    first = (first + 1) % count
    // An uptime before the failure's belongs to another boot.
    let tried = rotated.filter { shard in
      outages[shard].map { uptime >= $0.until || uptime < $0.since } ?? false
    }
    let asked = tried + rotated.filter { outages[$0] == nil }
    return asked.isEmpty ? rotated : asked
  }

  mutating func answered(_ shard: Int) { outages[shard] = nil }

  /// Skips a shard for a second, then for twice as long each time, up to half a minute.
  mutating func failed(_ shard: Int, at uptime: Duration) {
    let failures = min((outages[shard]?.failures ?? 0) + 1, 6)
    let pause = min(Duration.seconds(1 << (failures - 1)), .seconds(30))
    outages[shard] = Outage(failures: failures, since: uptime, until: uptime + pause)
  }

  /// Makes the next claim begin with a shard.
  mutating func begin(with shard: Int) { first = shard }
}
