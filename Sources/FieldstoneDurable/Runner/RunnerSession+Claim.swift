import FieldstoneCore
import Foundation

extension RunnerSession {
  /// Claims runs wherever there is room, until it is stopped.
  ///
  /// - Parameter begin: sets a run going.
  func claimRuns(begin: (ClaimedRun, ActiveLease) -> Void) async {
    var failures = 0
    var blocked = BlockedRuns(flows: flows.values.sorted { $0.name < $1.name })
    var hasDeclaredLimits = false
    var ticks = Ticks(at: time.uptime)
    while !isStopping {
      let rooms = rooms
      // What is held when the process dies counts as what was executed: so it is no more than that.
      if rooms.isEmpty || awaitsBeginning() {
        await wait(until: nil, ticking: &ticks)
        continue
      }
      let quarantine: ClaimRequest.Quarantine
      switch turn(at: time.uptime) {
      case .wait(let end):
        await wait(until: end, ticking: &ticks)
        continue
      case .claim(let wanted): quarantine = wanted
      }
      var nextDueAt: Date?
      var mayHaveMore = false
      var hasTicked = false
      do {
        if !hasDeclaredLimits {
          try await declareLimits()
          hasDeclaredLimits = true
        }
        try await free(&blocked)
        let asked = time.uptime
        let (claim, activeLeases) = try await claim(
          ClaimRequest(
            worker: options.worker, flows: rooms, lease: lease, limit: Self.claimLimit,
            quarantine: quarantine))
        failures = 0
        mayHaveMore = claim.runs.count >= Self.claimLimit
        for (run, activeLease) in zip(claim.runs, activeLeases) { begin(run, activeLease) }
        nextDueAt = claim.nextDueAt
        hasTicked = try await tick(claim.schedules, &ticks, askedAt: asked)
      } catch {
        if let error = error as? JournalError, !error.isTransient {
          fail(with: error)
          break
        }
        emit(.journalUnavailable(error: Self.text(of: error)))
        failures += 1
      }
      if isStopping { break }
      // Without room there is nothing to poll for, and of the blocked runs there may be more.
      if self.rooms.isEmpty { continue }
      if failures == 0, mayHaveMore || hasTicked || isQuarantinesTurn || !blocked.isEmpty {
        continue
      }
      var deadline = deadline(nextDueAt: nextDueAt, failures: failures)
      if failures == 0, let next = ticks.nextAt { deadline = min(deadline, next) }
      await wakeEvent.wait(until: deadline, by: time, on: options.executor)
    }
  }

  /// Waits while no run is claimed.
  ///
  /// Meanwhile what schedules have due is started, and runs are cancelled at their deadlines: a journal
  /// does that at each claim, also at an empty one, and this makes one a lease. The renewals wake it, as
  /// whoever has no room has leases.
  private func wait(until end: Duration?, ticking ticks: inout Ticks) async {
    setClaimHeldUp(true)
    let deadline = [end, ticks.nextAt].compactMap(\.self).min()
    await wakeEvent.wait(until: deadline, by: time, on: options.executor)
    setClaimHeldUp(false)
    let look = min(ticks.nextAt ?? .seconds(Int64.max), ticks.askedAt + lease)
    if look <= time.uptime, !isStopping { await tickWithoutRoom(&ticks) }
  }

  /// Claims on the thread of the renewals: work that blocks all others must not keep a lease that was
  /// given from being renewed.
  private func claim(_ request: ClaimRequest) async throws -> (Claim, [ActiveLease]) {
    try await withTaskExecutorPreference(renewalExecutor) {
      let now = journalTime
      let claim = try await journal.claim(request, at: now)
      return (claim, take(claim, askedFor: request, at: now.uptime))
    }
  }

  /// How many runs are claimed before the work of all of them has begun.
  static let claimLimit = max(16, 2 * ProcessInfo.processInfo.activeProcessorCount)

  /// Until when it waits for a ring, by uptime: a wall clock that is set back meanwhile must not keep
  /// it from runs that are due all the same.
  private func deadline(nextDueAt: Date?, failures: Int) -> Duration {
    var pause = max(.milliseconds(1), options.pollInterval)
    // A journal that can't be used is asked less and less often, at least every five seconds.
    for _ in 0..<min(failures, 10) where pause < .seconds(5) { pause = min(pause * 2, .seconds(5)) }
    if failures == 0, let nextDueAt {
      let seconds = min(max(0, nextDueAt.timeIntervalSince(time.now)), pause / .seconds(1))
      // A microsecond at least, and more than the rounding of dates takes away.
      pause = min(pause, .seconds(seconds) + .microseconds(1))
    }
    return time.uptime + pause
  }

  /// What an error says to a person.
  static func text(of error: any Error) -> String {
    let text = (error as? any DescribedError)?.message ?? String(describing: error)
    return String(text.prefix(4_096))
  }
}

/// The blocked runs that a runner has yet to look at: a page of a flow at a time, so that no other
/// work waits for all of them.
struct BlockedRuns {
  fileprivate var flows: [DurableFlow]
  fileprivate var before: RunID?

  init(flows: [DurableFlow]) { self.flows = flows }

  var isEmpty: Bool { flows.isEmpty }
}

extension RunnerSession {
  /// Makes the blocked runs of a page ready, to be read by the next claim.
  ///
  /// They were blocked by code that could not read them: by an older one, or by this one before it was
  /// mended. None is read here: one that ends the process as it is read must have been claimed, so that
  /// its crash is counted. What can't be read now either is blocked again.
  func free(_ blocked: inout BlockedRuns) async throws {
    guard let flow = blocked.flows.first else { return }
    let page = try await journal.runs(
      RunQuery(flow: flow.name, states: [.blocked], before: blocked.before, limit: 100))
    for record in page.runs where flow.mayFree(record) {
      try await journal.free(record.id, at: journalTime)
    }
    blocked.before = page.next
    if page.next == nil { blocked.flows.removeFirst() }
  }
}

extension DurableFlow {
  /// Whether a run is blocked that this code may be able to read.
  func mayFree(_ record: RunRecord) -> Bool {
    record.state == .blocked && record.version <= version
  }
}

extension Journal {
  /// Makes a blocked run ready, unless another process was faster.
  func free(_ id: RunID, at time: JournalTime) async throws {
    do {
      try await change(id, .retry, at: time)
    } catch JournalError.notAllowed, JournalError.noRun {}
  }
}
