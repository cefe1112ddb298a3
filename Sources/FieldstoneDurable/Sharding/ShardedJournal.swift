public import FieldstoneCore

/// Combines several journals into one: runs are spread over them by their slots.
///
/// ```swift
/// let journal = try await ShardedJournal([
///   PostgresJournal("postgresql://worker@one.example.org/orders"),
///   PostgresJournal("postgresql://worker@two.example.org/orders"),
/// ])
/// let runner = try DurableRunner(journal: journal, flows: flows)
/// ```
///
/// A run's slot is a number in its identifier: the hash of its concurrency key, or of its key if it
/// has none. Without either it is random. A child has its parent's slot, and so does a run that a
/// stage starts without a key. Each journal, a *shard*, stores a record of the slots that it owns
/// and refuses runs of all others, so that processes with different maps can't both write. The
/// first opening divides the slots evenly among empty journals. A journal that was used before owns
/// them all, until `fieldstone journal move-slots` moves some to another.
///
/// Some guarantees of ``Journal`` are weaker over several shards:
/// - A key is unique among the runs with the same concurrency key, or among those without one.
/// - A checkpoint starts and signals runs of its own shard only; others it refuses with
///   `JournalError.otherShard`.
/// - The order of a claim, takeovers first and then the longest due, applies within each shard.
/// - Crash-suspected runs are grouped in each shard. A run that is tried alone for longer than ten
///   leases may run beside runs of another shard, and its crash still counts as a lone one.
/// - A flow's limit and its rate are split evenly; see `flowsOnOneShard`. The limit of a
///   concurrency key counts the children with that key in the shard of their parents.
/// - Pauses, limits and purges are made in one shard after the other. If a shard fails, the others
///   are still tried, then the error is thrown: repeat the call.
/// - Lists and counts read one shard after the other, so they show no single moment, and fail while
///   a shard is unavailable.
///
/// While a shard is unavailable, claims skip it, and a runner renews the leases of the others
/// separately. The runs of the other shards continue, and those of that shard wait. The shard gets
/// the limits that runners declare meanwhile before it gives runs. ``claim(_:at:)`` and
/// ``renew(_:lease:at:)`` fail only if all shards do. Opening requires all shards to be available.
public final class ShardedJournal: Sendable {
  let shards: [any Journal]
  let route: ShardRoute
  let map: ShardMap
  let turns: Locked<ShardTurns>
  /// Measures how long a shard takes to fail.
  let time: TimeSource
  /// The limits that a runner declared while a shard was down, by shard and flow.
  ///
  /// The shard gets them before it gives runs.
  let undeclared = Locked<[Int: [String: FlowLimits]]>([:])

  /// Opens journals as one, and divides the slots if none of them has a record yet.
  ///
  /// - Parameters:
  ///   - shards: all journals of the set, each once. The order must be the same in all processes
  ///     that open the set for the first time; later any order works.
  ///   - flows: the names of the flows whose runs all are on one shard, where their limits and
  ///     rates apply unsplit. The limits of other flows are split. It must be the same in all
  ///     processes.
  ///   - time: the clocks for writes to shards that join others, and for skipping failed shards.
  /// - Throws: ``ShardingError`` if the journals do not fit together; ``JournalError``, including
  ///   `.unavailable` while one of them is unavailable, and `.noSlots` for a journal without a
  ///   record.
  public convenience init(
    _ shards: [any Journal], flowsOnOneShard flows: Set<String> = [], time: TimeSource = .system
  ) async throws {
    try await self.init(
      shards, flowsOnOneShard: flows, route: ShardRoute(flowsOnOneShard: flows), time: time)
  }

  /// Opens journals with all flows on one shard and one slot for all runs: for tests.
  package convenience init(_ shards: [any Journal], allIn slot: UInt16) async throws {
    var route = ShardRoute(flowsOnOneShard: [])
    route.isOnOne = { _ in true }
    route.slotOfKey = { _, _ in slot }
    try await self.init(shards, flowsOnOneShard: [], route: route, time: .system)
  }

  private init(
    _ shards: [any Journal], flowsOnOneShard flows: Set<String>, route: ShardRoute,
    time: TimeSource
  ) async throws {
    let opening = ShardOpening(
      shards: shards, flowsOnOneShard: flows, route: route, time: JournalTime(time, boot: ""))
    let records = try await opening.open()
    self.shards = shards
    self.route = route
    map = ShardMap(records.map(\.ranges))
    turns = Locked(ShardTurns(count: shards.count))
    self.time = time
  }

  /// The indices, from 0 on, of the unavailable shards that claims skip.
  public var unavailableShards: [Int] { turns.withLock { $0.leftOut } }
}

extension ShardedJournal: RunRouting {
  package func slotOfRun(in flow: String, key: String?) -> UInt16? {
    route.slot(in: flow, key: key)
  }

  package func shard(of id: RunID) -> Int { map.shard(of: id.slot) }

  /// The shard of a run.
  func journal(of id: RunID) -> any Journal { shards[shard(of: id)] }

  /// The results of all shards, in their order.
  ///
  /// All are asked, even if one has failed; then the first error is thrown.
  func all<Value: Sendable>(
    _ body: @Sendable (any Journal, Int) async throws -> Value
  ) async throws -> [Value] {
    var answers: [Value] = []
    var failure: (any Error)?
    for (index, shard) in shards.enumerated() {
      do { answers.append(try await body(shard, index)) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
    return answers
  }
}
