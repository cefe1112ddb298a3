/// Divides the limits of a flow between several shards.
///
/// The limits of a flow on one shard apply there unsplit. Otherwise the number of runs and the rate
/// are split evenly, so that all shards together never exceed them. A limit of a concurrency key
/// belongs to one slot.
struct ShardLimits {
  let route: ShardRoute

  /// The limits of each shard.
  func split(
    _ limits: FlowLimits, of flow: String, over count: Int
  ) throws(ShardingError) -> [FlowLimits] {
    let whole = limits.effective
    var shares = [FlowLimits](repeating: whole, count: count)
    if route.isOnOne(flow) { return shares }
    for limit in [whole.runs, whole.rate?.count].compactMap(\.self) where limit < count {
      throw .limitTooSmall(flow: flow, limit: limit, shards: count)
    }
    func share(_ limit: Int?, _ index: Int) -> Int? {
      limit.map { $0 / count + (index < $0 % count ? 1 : 0) }
    }
    for index in shares.indices {
      shares[index].runs = share(whole.runs, index)
      shares[index].rate?.count = share(whole.rate?.count, index) ?? 1
    }
    return shares
  }

  /// The limits of all flows that have limits on each shard.
  ///
  /// Limits that only some of the shards have count as not set; setting them completes them.
  func united(_ shares: [[String: FlowLimits]]) -> [String: FlowLimits] {
    guard let first = shares.first else { return [:] }
    var limits: [String: FlowLimits] = [:]
    for flow in first.keys {
      let parts = shares.compactMap { $0[flow] }
      if parts.count == shares.count { limits[flow] = united(parts, of: flow) }
    }
    return limits
  }

  /// The combined limits of all shards; nil if none has any.
  func united(_ parts: [FlowLimits], of flow: String) -> FlowLimits? {
    guard var limits = parts.first else { return nil }
    if route.isOnOne(flow) { return limits }
    func sum(_ numbers: [Int]) -> Int? {
      numbers.isEmpty
        ? nil : numbers.reduce(0) { $0.addingReportingOverflow($1).overflow ? .max : $0 + $1 }
    }
    limits.runs = sum(parts.compactMap(\.runs))
    if let count = sum(parts.compactMap(\.rate?.count)) { limits.rate?.count = count }
    return limits
  }
}
