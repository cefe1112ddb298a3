/// Opens several journals as one: each gets a record of its slots, and the records must fit.
struct ShardOpening {
  let shards: [any Journal]
  let flowsOnOneShard: Set<String>
  let route: ShardRoute
  let time: JournalTime

  /// The number of tries against concurrent openings.
  private static let tries = 20

  /// - Returns: the record of each shard.
  func open() async throws -> [JournalSlots] {
    guard let first = shards.first else { throw ShardingError.noShards }
    guard shards.allSatisfy({ $0.clock == first.clock }) else { throw ShardingError.clocksDiffer }
    guard shards.allSatisfy({ $0.limits == first.limits }) else {
      throw ShardingError.limitsDiffer
    }
    for _ in 0..<Self.tries {
      let records = try await read()
      let known = records.compactMap(\.self)
      if known.count == shards.count {
        try check(known)
        if try await agree(on: known) { return known }
      } else {
        try await complete(records)
      }
    }
    throw JournalError.unavailable("other processes change the slots of the journals all the time")
  }

  private func read() async throws -> [JournalSlots?] {
    var records: [JournalSlots?] = []
    for shard in shards { records.append(try await shard.slots()) }
    return records
  }

  // MARK: Existing records

  private func check(_ records: [JournalSlots]) throws(ShardingError) {
    let groups = Set(records.map(\.group))
    guard groups.count == 1 else { throw .groupsDiffer(groups.sorted()) }
    var owned: [ClosedRange<UInt16>] = []
    var shared: [ClosedRange<UInt16>] = []
    for record in records {
      shared += JournalSlots.subtracting(
        JournalSlots.subtracting(owned, from: record.ranges), from: record.ranges)
      owned += record.ranges
    }
    let missing = JournalSlots.subtracting(owned, from: JournalSlots.all)
    guard missing.isEmpty, shared.isEmpty else {
      throw .slotsDoNotFit(
        missing: JournalSlots.text(missing),
        shared: JournalSlots.text(JournalSlots.united(shared)))
    }
  }

  /// Ensures that all processes have the same flows on one shard.
  ///
  /// A flow without runs may be added or removed. One whose runs are where they belong may be
  /// added: a process without it may have removed it while it had none.
  ///
  /// - Returns: false if a record was changed.
  private func agree(on records: [JournalSlots]) async throws -> Bool {
    var isChanged = false
    for (shard, record) in zip(shards, records) {
      let differing = flowsOnOneShard.symmetricDifference(record.flowsOnOneShard)
      guard !differing.isEmpty else { continue }
      for flow in differing.sorted() {
        guard try await allRuns(of: flow, canBeIn: slotIfAdded(flow)) else {
          throw ShardingError.flowsDiffer(flow)
        }
      }
      var new = record
      new.flowsOnOneShard = flowsOnOneShard.sorted()
      _ = try await shard.setSlots(from: record, to: new)
      isChanged = true
    }
    return !isChanged
  }

  /// The slot of all runs of a flow that comes to be on one shard; nil for any other flow.
  private func slotIfAdded(_ flow: String) -> UInt16? {
    flowsOnOneShard.contains(flow) ? route.slot(in: flow, key: nil) : nil
  }

  /// Whether all runs of a flow have a slot; a child has its parent's.
  ///
  /// - Parameter slot: nil for a slot that no run has.
  private func allRuns(of flow: String, canBeIn slot: UInt16?) async throws -> Bool {
    for shard in shards {
      var areThere = true
      try await shard.eachPage(of: RunQuery(flow: flow, limit: slot == nil ? 1 : 1_000)) { page in
        areThere = page.runs.allSatisfy { run in
          slot.map { run.parent != nil || run.id.slot == $0 } ?? false
        }
        return areThere
      }
      if !areThere { return false }
    }
    return true
  }

  // MARK: Missing records

  /// Gives records to the shards that have none.
  private func complete(_ records: [JournalSlots?]) async throws {
    let known = records.compactMap(\.self)
    let missing = records.indices.filter { records[$0] == nil }
    let owned = known.flatMap(\.ranges)
    let free = JournalSlots.subtracting(owned, from: JournalSlots.all)
    let used = try await used(among: missing, areFirst: known.isEmpty)
    // A journal that was used before may have runs of any slot.
    guard used.count <= 1, used.isEmpty || owned.isEmpty else {
      // Another process may have opened the journals, and used them, meanwhile.
      guard try await read() == records else { return }
      throw ShardingError.severalHaveRuns(used)
    }
    let group = known.first?.group ?? Self.newGroup()
    let flows = known.first?.flowsOnOneShard ?? flowsOnOneShard.sorted()
    if let index = used.first {
      // Before anything of it is shared, so that an interruption leaves no doubt which one it was.
      let record = JournalSlots(group: group, ranges: JournalSlots.all, flowsOnOneShard: flows)
      _ = try await shards[index].setSlots(from: nil, to: record)
      return
    }
    let holders = records.indices.filter { records[$0] != nil }
    if !holders.isEmpty { try await share(from: holders) }
    for (index, ranges) in zip(missing, Self.divided(free, among: missing.count)) {
      let record = JournalSlots(group: group, ranges: ranges, flowsOnOneShard: flows)
      // Another process was faster: its record is read first.
      guard try await shards[index].setSlots(from: nil, to: record) else { return }
    }
  }

  /// The shards that were used before: those with runs.
  ///
  /// - Parameter areFirst: whether no shard has a record. Then, if none has runs, it is those with
  ///   limits, pauses or schedules: the runs of a journal may all have been purged.
  private func used(among indices: [Int], areFirst: Bool) async throws -> [Int] {
    func those(where isMeant: (any Journal) async throws -> Bool) async throws -> [Int] {
      var found: [Int] = []
      for index in indices {
        if try await isMeant(shards[index]) { found.append(index) }
      }
      return found
    }
    let used = try await those { try await !$0.runs(RunQuery(limit: 1)).runs.isEmpty }
    guard used.isEmpty, areFirst else { return used }
    return try await those {
      if try await !$0.flowLimits().isEmpty { return true }
      if try await !$0.pauses().isEmpty { return true }
      return try await !$0.schedules().isEmpty
    }
  }

  /// Copies the pauses and the limits of existing shards to joining ones.
  private func share(from holders: [Int]) async throws {
    let joining = shards.indices.filter { !holders.contains($0) }
    for holder in holders {
      for pause in try await shards[holder].pauses() {
        if case .run = pause.target { continue }
        for index in joining {
          try await shards[index].pause(pause.target, until: pause.until, at: time)
        }
      }
    }
    var shares: [[String: FlowLimits]] = []
    for holder in holders { shares.append(try await shards[holder].flowLimits()) }
    var kept: [[String: FlowLimits]] = []
    for index in joining { kept.append(try await shards[index].flowLimits()) }
    let rule = ShardLimits(route: route)
    for (flow, total) in rule.united(shares) {
      let mark = "fieldstone.undivided.\(flow)"
      let begun = kept.first?[mark]
      if begun == nil, kept.allSatisfy({ $0[flow] != nil }) { continue }
      // The first joining shard keeps the whole until all shares are written, those of the holders
      // last: interrupted and concurrent openings split the whole, and never a share of it.
      let whole = begun ?? total
      let split = try rule.split(whole, of: flow, over: shards.count)
      try await shards[joining[0]].setLimits(whole, of: mark, replacing: true, at: time)
      for index in joining + holders {
        try await shards[index].setLimits(split[index], of: flow, replacing: true, at: time)
      }
      try await shards[joining[0]].setLimits(nil, of: mark, replacing: true, at: time)
    }
  }

  private static func newGroup() -> String {
    String(UInt64.random(in: 0...UInt64.max), radix: 36)
  }

  /// Splits ranges into parts of the same size, as far as possible.
  private static func divided(
    _ ranges: [ClosedRange<UInt16>], among count: Int
  ) -> [[ClosedRange<UInt16>]] {
    let total = ranges.reduce(0) { $0 + $1.count }
    var parts = [[ClosedRange<UInt16>]](repeating: [], count: max(1, count))
    var before = 0
    for range in ranges {
      for part in 0..<count {
        // The first and last slot numbers of the part.
        let low = max(total * part / count, before)
        let high = min(total * (part + 1) / count, before + range.count)
        guard low < high else { continue }
        let first = Int(range.lowerBound) + low - before
        parts[part].append(
          UInt16(truncatingIfNeeded: first)...UInt16(truncatingIfNeeded: first + high - low - 1))
      }
      before += range.count
    }
    return parts
  }
}
