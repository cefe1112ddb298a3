/// A schedule is on the shard of its runs, so that a tick is one transaction: in the slot of its
/// concurrency key, or of its name if it has none.
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
      home = holder ?? target ?? map.shard(of: route.slotOfKey("", name))
      if old == nil, holder != nil { return false }
      if let target, target != home {
        throw ShardingError.scheduleElsewhere(name)
      }
    }
    for start in starts {
      try route.check(start)
      try require(start.id, in: home)
    }
    return try await shards[home].setSchedule(
      name, from: old, to: new, starting: starts, by: actor, at: time)
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
