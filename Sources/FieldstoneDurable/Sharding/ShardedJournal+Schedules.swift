/// A schedule is on the shard of its runs, so that a tick is one transaction: in the slot of its
/// concurrency key, or of its name if it has none; that of a flow on one shard in the flow's slot.
///
/// A schedule may be elsewhere, for instance after its flow was added to `flowsOnOneShard`, or if a
/// ``CodedJournal`` above has encoded its definition. Its next change brings it to its shard.
extension ShardedJournal {
  /// The schedules of all shards, sorted by the bytes of their names.
  public func schedules() async throws -> [ScheduleRecord] {
    try await all { shard, _ in try await shard.schedules() }.flatMap(\.self)
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Sets, changes or removes a schedule, and starts runs with it, in its shard.
  ///
  /// - Throws: also ``ShardingError/scheduleElsewhere(_:)`` if its flow or its concurrency key
  ///   would move it to another shard, and `JournalError.otherShard` for runs of another shard.
  public func setSchedule(
    _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart],
    by actor: String?, at time: JournalTime
  ) async throws -> Bool {
    try limits.check(name, new, starts)
    let source = old.flatMap(shard(of:))
    let target = new.flatMap(shard(of:))
    let home: Int
    if old != nil, let source, new == nil || target == source {
      home = source
    } else {
      // For a new, unreadable or moving schedule the other shards are asked.
      let holder = try await holder(of: name)
      if old == nil, holder != nil { return false }
      // A schedule that can't be read here belongs where its runs are.
      let runs = source == nil && target == nil ? starts.first.map { shard(of: $0.id) } : nil
      home = runs ?? holder ?? target ?? map.shard(of: route.slotOfKey("", name))
      if let target, target != home {
        throw ShardingError.scheduleElsewhere(name)
      }
    }
    for start in starts {
      try route.check(start)
      try require(start.id, in: home)
    }
    let isSet = try await shards[home].setSchedule(
      name, from: old, to: new, starting: starts, by: actor, at: time)
    guard !isSet, let old, try await bring(old, to: home, at: time) else { return isSet }
    return try await shards[home].setSchedule(
      name, from: old, to: new, starting: starts, by: actor, at: time)
  }

  /// Brings a schedule to its shard from another one that has it.
  ///
  /// It is copied first, so that an interruption loses nothing. The copy that stays behind then is
  /// removed when it is due: only the schedule on its shard starts runs, so no tick comes twice.
  ///
  /// - Returns: whether another shard had it.
  private func bring(
    _ record: ScheduleRecord, to home: Int, at time: JournalTime
  ) async throws -> Bool {
    for (index, shard) in shards.enumerated() where index != home {
      let found: ScheduleRecord?
      do { found = try await shard.scheduleRecord(record.name) } catch let error as JournalError
        where error.isTransient
      {
        // A lost race on an available shard must not fail with this one.
        continue
      }
      guard let found, found.isUnchanged(from: record) else { continue }
      _ = try await shards[home].setSchedule(
        record.name, from: nil, to: found, starting: [], at: time)
      _ = try await shard.setSchedule(record.name, from: found, to: nil, starting: [], at: time)
      return true
    }
    return false
  }

  /// The shard that a schedule belongs to; nil if it can't be read.
  private func shard(of record: ScheduleRecord) -> Int? {
    guard let schedule = try? ScheduleStatus(record).schedule else { return nil }
    return route.slot(in: schedule.flow, key: schedule.slotKey).map { map.shard(of: $0) }
  }

  /// The shard that has a schedule of this name.
  private func holder(of name: String) async throws -> Int? {
    try await all { shard, _ in
      try await shard.scheduleRecord(name) != nil
    }.firstIndex(of: true)
  }
}

extension ShardedJournal: ScheduleIndex {
  package func schedule(named name: String) async throws -> ScheduleRecord? {
    try await all { shard, _ in try await shard.scheduleRecord(name) }.compactMap(\.self).first
  }
}
