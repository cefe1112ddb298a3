import FieldstoneCore
import Foundation

extension ShardedJournal {
  /// Claims runs for a worker: asks the shards in turn for as many as there is room for.
  ///
  /// An unavailable shard is skipped for a while, for a second at first and half a minute at most.
  /// O(n) in the number of shards, in addition to the cost of each.
  ///
  /// - Throws: the errors of an available shard; `.unavailable` if no shard is available;
  ///   `.foreignSlot` if slots moved while this process was open.
  public func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
    if turns.withLock(\.haveSlotsMoved) { throw JournalError.foreignSlot }
    let order = turns.withLock { $0.next(at: time.uptime) }
    var claim = ShardedClaim(request)
    switch request.quarantine {
    case .group(let crashes), .alone(let crashes):
      // A group is given with nothing beside it: all shards are asked for one before any is asked
      // for other runs.
      for index in order {
        // The limit does not apply to a group, and excludes all other runs.
        var only =
          claim.hasGroup ? claim.rest(.left(after: crashes)) : claim.rest(request.quarantine)
        only.limit = 0
        guard try await ask(index, only, &claim, at: time) else { return claim.answer }
      }
      if claim.hasGroup || claim.answers == 0 { break }
      claim = claim.begunAnew(wanting: .left(after: crashes))
      fallthrough
    case .disregarded, .left:
      for index in order where !claim.failed.contains(index) {
        guard try await ask(index, claim.rest(claim.wanted), &claim, at: time) else {
          return claim.answer
        }
      }
    }
    if claim.answers == 0, let failure = claim.failure { throw failure }
    return claim.answer
  }

  /// Asks a shard.
  ///
  /// - Returns: whether to ask the next one.
  private func ask(
    _ index: Int, _ request: ClaimRequest, _ claim: inout ShardedClaim, at time: JournalTime
  ) async throws -> Bool {
    let asked = self.time.uptime
    do {
      try await declareLimits(to: index, at: time)
      var answer = try await shards[index].claim(request, at: time)
      turns.withLock { $0.answered(index) }
      answer.schedules?.due.removeAll(where: isHomeless)
      let foreign = answer.runs.filter { shard(of: $0.record.id) != index }
      answer.runs.removeAll { shard(of: $0.record.id) != index }
      claim.add(answer)
      try await giveBack(foreign, to: index, at: time)
    } catch let error as JournalError where error.isTransient {
      // The pause begins with the failure: also a shard that hangs for longer is skipped then.
      let elapsed = self.time.uptime - asked
      turns.withLock { $0.failed(index, at: time.uptime + elapsed) }
      claim.failure = error
      claim.failed.insert(index)
    } catch {
      // Runs claimed so far must not be lost with the answer: the next claim gets the error first.
      guard !claim.answer.runs.isEmpty else { throw error }
      turns.withLock { $0.begin(with: index) }
      return false
    }
    return true
  }

  /// Gives back runs whose slots moved to a shard while this process was open.
  ///
  /// What it writes about them goes to the shard that had them before, and each would count as a
  /// crash at the end of its lease.
  ///
  /// - Throws: `.foreignSlot` if there are any.
  private func giveBack(
    _ runs: [ClaimedRun], to index: Int, at time: JournalTime
  ) async throws {
    guard !runs.isEmpty else { return }
    turns.withLock { $0.haveSlotsMoved = true }
    for run in runs.map(\.record) {
      let claim = RunClaim(id: run.id, sequence: run.sequence, fence: run.fence)
      // A failure changes nothing about the reason: its lease ends by itself.
      try? await shards[index].park(Parking(claim: claim, reason: .shutdown), at: time)
    }
    throw JournalError.foreignSlot
  }

  /// Whether the shard of a due schedule, which is on another one, is unavailable.
  ///
  /// It stays due; to try it would end the ticks of those after it.
  private func isHomeless(_ record: ScheduleRecord) -> Bool {
    let leftOut = unavailableShards
    return !leftOut.isEmpty && shard(of: record).map(leftOut.contains) == true
  }

  /// Extends leases; none ends earlier than before.
  ///
  /// Each shard is asked separately, all of them concurrently. The claims of an unavailable shard
  /// count as held: their fences guard them.
  ///
  /// - Throws: `.unavailable` if no shard with one of the runs is available.
  public func renew(
    _ claims: [RunClaim], lease: Duration, at time: JournalTime
  ) async throws -> [RunClaim] {
    let parts = Dictionary(grouping: claims) { shard(of: $0.id) }
    if parts.count <= 1 {
      guard let (index, claims) = parts.first else { return [] }
      return try await shards[index].renew(claims, lease: lease, at: time)
    }
    let answers = await withTaskGroup(of: Result<[RunClaim], any Error>.self) { group in
      for (index, claims) in parts {
        let shard = shards[index]
        group.addTask {
          do { return .success(try await shard.renew(claims, lease: lease, at: time)) } catch {
            return .failure(error)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    var lost: [RunClaim] = []
    var failures: [any Error] = []
    for answer in answers {
      switch answer {
      case .success(let claims): lost += claims
      case .failure(let error as JournalError) where error.isTransient: failures.append(error)
      case .failure(let error): throw error
      }
    }
    if failures.count == answers.count, let failure = failures.first { throw failure }
    return lost
  }
}

/// The results of the shards for a claim so far.
struct ShardedClaim {
  private let request: ClaimRequest
  private var rooms: [ClaimRequest.FlowRoom]
  private var limit: Int
  /// How the claim handles crash-suspected runs.
  private(set) var wanted: ClaimRequest.Quarantine
  private(set) var answer = Claim(runs: [])
  /// The number of shards that have answered.
  private(set) var answers = 0
  /// The shards that have failed.
  var failed: Set<Int> = []
  var failure: JournalError?

  init(_ request: ClaimRequest) {
    self.request = request
    rooms = request.flows
    limit = request.limit
    wanted = request.quarantine
  }

  /// Another round of the same claim.
  func begunAnew(wanting quarantine: ClaimRequest.Quarantine) -> Self {
    var claim = Self(request)
    (claim.wanted, claim.failed, claim.failure) = (quarantine, failed, failure)
    return claim
  }

  /// Whether a group of crash-suspected runs was given.
  var hasGroup: Bool { answer.runs.contains(where: \.isCrashSuspected) }

  /// The request to the next shard.
  func rest(_ quarantine: ClaimRequest.Quarantine) -> ClaimRequest {
    var rest = request
    (rest.flows, rest.limit, rest.quarantine) = (rooms, limit, quarantine)
    return rest
  }

  mutating func add(_ claim: Claim) {
    answers += 1
    answer.runs += claim.runs
    limit -= claim.runs.count
    for run in claim.runs {
      guard let index = rooms.firstIndex(where: { $0.flow == run.record.flow }) else { continue }
      rooms[index].limit -= 1
    }
    answer.nextDueAt = [answer.nextDueAt, claim.nextDueAt].compactMap(\.self).min()
    if answer.quarantined != .groups, claim.quarantined != .none {
      answer.quarantined = claim.quarantined
    }
    answer.schedules = Self.united(answer.schedules, claim.schedules)
  }

  /// The schedules of two shards, by the later of their clocks.
  ///
  /// So a schedule that is due by its own clock is never tested with an earlier clock.
  private static func united(_ left: DueSchedules?, _ right: DueSchedules?) -> DueSchedules? {
    guard let left, let right else { return left ?? right }
    let now = max(left.now, right.now)
    let next = [left, right].compactMap { due in
      due.nextAt.map { now.addingTimeInterval($0.timeIntervalSince(due.now)) }
    }.min()
    let due = (left.due + right.due).sorted { ($0.dueAt ?? now) < ($1.dueAt ?? now) }
    return DueSchedules(now: now, due: Array(due.prefix(DueSchedules.most)), nextAt: next)
  }
}
