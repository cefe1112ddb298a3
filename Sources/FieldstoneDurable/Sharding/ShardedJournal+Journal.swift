package import FieldstoneCore
public import Foundation

/// Calls that concern one run go to its shard.
extension ShardedJournal: Journal {
  /// The limits of keys and payloads, the same in all shards.
  public var limits: PayloadLimits { shards[0].limits }

  /// The clock that decides; all shards have the same kind.
  public var clock: JournalClock { shards[0].clock }

  /// Adds a new run to the shard of its slot.
  ///
  /// - Throws: also `JournalError.slotOfKey` for an identifier without the slot of its key.
  public func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
    try route.check(start)
    return try await journal(of: start.id).start(start, at: time)
  }

  /// Adds many new runs to the shards of their slots, in order within each shard.
  ///
  /// Only the starts of an unavailable shard fail.
  public func start(
    _ starts: [RunStart], at time: JournalTime
  ) async -> [Result<RunRecord, any Error>] {
    var answers = [Result<RunRecord, any Error>](
      repeating: .failure(JournalError.unanswered), count: starts.count)
    var places = [[Int]](repeating: [], count: shards.count)
    for (place, start) in starts.enumerated() {
      do throws(JournalError) {
        try route.check(start)
        places[shard(of: start.id)].append(place)
      } catch {
        answers[place] = .failure(error)
      }
    }
    for (shard, places) in zip(shards, places) where !places.isEmpty {
      let given = await shard.start(places.map { starts[$0] }, at: time)
      for (place, answer) in zip(places, given) { answers[place] = answer }
    }
    return answers
  }

  /// Continues a run with its next stage, or completes it, in the shard of the run.
  ///
  /// - Throws: also `JournalError.otherShard` if it starts or signals a run of another shard, which
  ///   can't be one transaction; and `.slotOfKey`.
  @discardableResult
  public func checkpoint(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) async throws -> CheckpointReceipt {
    let home = shard(of: checkpoint.claim.id)
    for start in checkpoint.starts {
      try route.check(start)
      try require(start.id, in: home)
    }
    for child in checkpoint.next.children {
      // Its key does not matter: it is on its parent's shard.
      if let slot = route.isOnOne(child.start.flow)
        ? route.slot(in: child.start.flow, key: nil) : nil, map.shard(of: slot) != home
      {
        throw JournalError.otherShard(child.id)
      }
      try require(child.id, in: home)
    }
    for signal in checkpoint.signals { try require(signal.run, in: home) }
    return try await shards[home].checkpoint(checkpoint, at: time)
  }

  /// Throws for a run of another shard.
  func require(_ id: RunID, in shard: Int) throws(JournalError) {
    if self.shard(of: id) != shard { throw .otherShard(id) }
  }

  /// Gives a run back at its current stage.
  public func park(_ parking: Parking, at time: JournalTime) async throws {
    try await journal(of: parking.claim.id).park(parking, at: time)
  }

  /// Sends a signal to a run.
  @discardableResult
  public func signal(
    _ id: RunID, _ signal: SignalRecord, at time: JournalTime
  ) async throws -> SignalReceipt {
    try await journal(of: id).signal(id, signal, at: time)
  }

  /// Applies an operator's change to a run.
  @discardableResult
  public func change(
    _ id: RunID, _ change: RunChange, by actor: String?, at time: JournalTime
  ) async throws -> RunRecord {
    try await journal(of: id).change(id, change, by: actor, at: time)
  }

  /// The run's current record; nil if there is none.
  public func run(_ id: RunID) async throws -> RunRecord? { try await journal(of: id).run(id) }

  /// The run with further data that explains why it waits; its limits are its shard's share.
  public func standing(of id: RunID) async throws -> RunStanding? {
    try await journal(of: id).standing(of: id)
  }

  /// A page of a run's past steps, oldest first.
  public func steps(of id: RunID, after sequence: Int?, limit: Int) async throws -> StepPage {
    try await journal(of: id).steps(of: id, after: sequence, limit: limit)
  }

  /// A page of the children of a run, which are on its shard.
  public func children(
    of id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int
  ) async throws -> ChildPage {
    try await journal(of: id).children(of: id, at: sequence, after: place, limit: limit)
  }

  /// Pauses a run in its shard, or a flow or a concurrency key in all shards.
  ///
  /// Children with the key may be on any shard. If a shard fails, the others are still tried:
  /// repeat the call.
  public func pause(
    _ target: PauseTarget, until date: Date?, by actor: String?, at time: JournalTime
  ) async throws {
    if case .run(let id) = target {
      return try await journal(of: id).pause(target, until: date, by: actor, at: time)
    }
    _ = try await all { shard, _ in
      try await shard.pause(target, until: date, by: actor, at: time)
    }
  }

  /// Ends a pause, in all shards unless it is a pause of a run.
  @discardableResult
  public func resume(
    _ target: PauseTarget, by actor: String?, at time: JournalTime
  ) async throws -> Bool {
    if case .run(let id) = target {
      return try await journal(of: id).resume(target, by: actor, at: time)
    }
    return try await all { shard, _ in
      try await shard.resume(target, by: actor, at: time)
    }.contains(true)
  }

  /// Sets the limits of a flow in all shards, split unless the flow is on one shard.
  ///
  /// If a shard fails, the others are still tried: repeat the call. Limits that a runner declares
  /// replace none, and succeed with the available shards. The other shards get them before they
  /// give runs.
  ///
  /// - Returns: the effective limits of all shards together; the given ones while a shard is
  ///   unavailable.
  /// - Throws: also ``ShardingError/limitTooSmall(flow:limit:shards:)``.
  @discardableResult
  public func setLimits(
    _ limits: FlowLimits?, of flow: String, replacing: Bool, by actor: String?,
    at time: JournalTime
  ) async throws -> FlowLimits? {
    let rule = ShardLimits(route: route)
    let shares = try limits.map { try rule.split($0, of: flow, over: shards.count) }
    let left = Locked<Set<Int>>([])
    let kept = try await all { shard, index in
      do {
        return try await shard.setLimits(
          shares?[index], of: flow, replacing: replacing, by: actor, at: time)
      } catch let error as JournalError where error.isTransient && !replacing && shares != nil {
        let count = left.withLock { left in
          left.insert(index)
          return left.count
        }
        if count == self.shards.count { throw error }
        return nil
      }
    }
    let missing = left.withLock { $0 }
    undeclared.withLock { undeclared in
      for index in shards.indices { undeclared[index]?[flow] = nil }
      for index in missing { undeclared[index, default: [:]][flow] = shares?[index] }
    }
    return missing.isEmpty ? rule.united(kept.compactMap(\.self), of: flow) : limits?.effective
  }

  /// Declares to a shard the limits that were declared while it was down.
  func declareLimits(to index: Int, at time: JournalTime) async throws {
    let waiting = undeclared.withLock { $0[index] } ?? [:]
    for (flow, share) in waiting.sorted(by: { $0.key < $1.key }) {
      try await shards[index].setLimits(share, of: flow, replacing: false, by: nil, at: time)
      undeclared.withLock { undeclared in
        if undeclared[index]?[flow] == share { undeclared[index]?[flow] = nil }
      }
    }
  }

  /// The combined limits of all shards, for flows with limits on each shard.
  public func flowLimits() async throws -> [String: FlowLimits] {
    ShardLimits(route: route).united(try await all { shard, _ in try await shard.flowLimits() })
  }

  /// Deletes finished runs that are older than the retention, in one shard after the other.
  @discardableResult
  public func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int {
    try await all { shard, _ in try await shard.purge(retention, at: time) }.reduce(0, +)
  }

  /// Deletes a run that is over, in its shard.
  public func purge(_ id: RunID, by actor: String?, at time: JournalTime) async throws {
    try await journal(of: id).purge(id, by: actor, at: time)
  }
}

extension ShardedJournal: WakeUpSource, OwnWriteJournal {
  package func onWakeUp(_ body: @escaping @Sendable () -> Void) -> Registration {
    let tokens = shards.compactMap { ($0 as? any WakeUpSource)?.onWakeUp(body) }
    return Registration { for token in tokens { token.cancel() } }
  }

  package func observeOwnWrites(
    _ body: @escaping @Sendable ([RunID]) -> Void
  ) -> Registration {
    let tokens = shards.compactMap { ($0 as? any OwnWriteJournal)?.observeOwnWrites(body) }
    return Registration { for token in tokens { token.cancel() } }
  }
}
