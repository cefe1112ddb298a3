package import Foundation

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
      // A change that says its shard asks all: another one may have it, and be down.
      let isEncoded = source == nil && target == nil
      let holder = try await found(name, asksAll: !isEncoded)?.shard
      if old == nil, holder != nil { return false }
      // A schedule that can't be read here belongs where its runs are.
      let runs = isEncoded ? starts.first.map { shard(of: $0.id) } : nil
      home = runs ?? holder ?? target ?? map.shard(of: route.slotOfKey("", name))
      if let target, target != home {
        throw ShardingError.scheduleElsewhere(name)
      }
    }
    for start in starts {
      try route.check(start)
      try require(start.id, in: home)
    }
    // Read before the removal: afterwards another process may set a schedule of this name anew.
    let left = old != nil && new == nil ? try await copies(of: name, outside: home) : []
    var isSet = try await shards[home].setSchedule(
      name, from: old, to: new, starting: starts, by: actor, at: time)
    if !isSet, let old, try await bring(old, to: home, at: time) {
      isSet = try await shards[home].setSchedule(
        name, from: old, to: new, starting: starts, by: actor, at: time)
    }
    if isSet { try await remove(left, at: time) }
    return isSet
  }

  /// Brings a schedule to its shard from another one that has it.
  ///
  /// It is copied first, so that an interruption loses nothing. The copy that stays behind then is
  /// removed when it is due, or with the schedule. Only the schedule on its shard starts runs, so
  /// no tick comes twice.
  ///
  /// - Returns: whether another shard had it.
  private func bring(
    _ record: ScheduleRecord, to home: Int, at time: JournalTime
  ) async throws -> Bool {
    guard
      let copy = try await copies(of: record.name, outside: home).first(where: {
        $0.record.isUnchanged(from: record)
      })
    else { return false }
    _ = try await shards[home].setSchedule(
      record.name, from: nil, to: copy.record, starting: [], at: time)
    _ = try await copy.shard.setSchedule(
      record.name, from: copy.record, to: nil, starting: [], at: time)
    return true
  }

  /// A schedule that is not on its shard.
  private typealias Copy = (shard: any Journal, record: ScheduleRecord)

  /// The schedules of this name on all available shards but one.
  private func copies(of name: String, outside home: Int) async throws -> [Copy] {
    var copies: [Copy] = []
    for (index, shard) in shards.enumerated() where index != home {
      // A change on an available shard must not fail with this one.
      if let record = try await available({ try await shard.scheduleRecord(name) }) ?? nil {
        copies.append((shard, record))
      }
    }
    return copies
  }

  /// Removes copies that are unchanged, on the available shards.
  private func remove(_ copies: [Copy], at time: JournalTime) async throws {
    for (shard, record) in copies {
      _ = try await available {
        try await shard.setSchedule(record.name, from: record, to: nil, starting: [], at: time)
      }
    }
  }

  /// The answer of a shard; nil if it is unavailable.
  private func available<Value: Sendable>(
    _ body: () async throws -> Value
  ) async throws -> Value? {
    do { return try await body() } catch let error as JournalError where error.isTransient {
      return nil
    }
  }

  /// The shard that a schedule belongs to; nil if it can't be read.
  func shard(of record: ScheduleRecord) -> Int? {
    guard let schedule = try? ScheduleStatus(record).schedule else { return nil }
    return route.slot(in: schedule.flow, key: schedule.slotKey).map { map.shard(of: $0) }
  }

  /// The first shard with a schedule of this name, and its record.
  ///
  /// An unavailable shard is an error only if no other one has the schedule: then it may be there.
  ///
  /// - Parameter asksAll: whether it is an error also if another one has it.
  private func found(
    _ name: String, asksAll: Bool = false
  ) async throws -> (shard: Int, record: ScheduleRecord)? {
    var failure: JournalError?
    var first: (shard: Int, record: ScheduleRecord)?
    for (index, shard) in shards.enumerated() where first == nil || asksAll {
      do {
        let record = try await shard.scheduleRecord(name)
        first = first ?? record.map { (index, $0) }
      } catch let error as JournalError where error.isTransient {
        failure = failure ?? error
      }
    }
    if let failure, first == nil || asksAll { throw failure }
    return first
  }
}

extension ShardedJournal: ScheduleIndex {
  package func schedule(named name: String) async throws -> ScheduleRecord? {
    try await found(name)?.record
  }
}

extension ShardedJournal: ClockReader {
  /// The date by the clock of the first available shard.
  package func date(byCaller date: Date) async throws -> Date {
    let leftOut = Set(unavailableShards)
    for (index, shard) in shards.enumerated() where !leftOut.contains(index) {
      if let date = try await available({ try await shard.currentDate(byCaller: date) }) {
        return date
      }
    }
    return date
  }
}
