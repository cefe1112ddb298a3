import FieldstoneCore
import Foundation

extension RunnerSession {
  /// Claims runs while there is room, until the session stops.
  ///
  /// - Parameter begin: begins the work on a run.
  func claimRuns(begin: (ClaimedRun, ActiveLease) -> Void) async {
    var failures = 0
    var blocked = BlockedRuns(flows: flows.values.sorted { $0.name < $1.name })
    var round = ClaimRound()
    var hasDeclaredLimits = false
    var ticks = Ticks(at: time.uptime)
    while !isStopping {
      reports.announceIfDue()
      // If the process dies, each held run counts a crash: so it claims no more while work has yet
      // to begin.
      if awaitsBeginning() {
        await wait(until: nil, ticking: &ticks)
        continue
      }
      let rooms = rooms
      let quarantine: ClaimRequest.Quarantine
      // Also without room: the turn of a group makes the runs in progress give back their places.
      switch turn(at: time.uptime) {
      case .wait(let end):
        await wait(until: end, ticking: &ticks)
        continue
      case .claim(let wanted):
        if rooms.isEmpty {
          await wait(until: nextTurnAt, ticking: &ticks)
          continue
        }
        quarantine = wanted
      }
      var nextDueAt: Date?
      var mayHaveMore = false
      var hasTicked = false
      do {
        if !hasDeclaredLimits { hasDeclaredLimits = try await declareLimits() }
        try await freeSome(of: &blocked)
        let asked = time.uptime
        let request = ClaimRequest(
          worker: options.worker, flows: round.rooms(among: rooms, quarantine), lease: lease,
          limit: Self.claimLimit, quarantine: quarantine)
        let (claim, activeLeases) = try await claim(request)
        failures = 0
        let isFull = claim.runs.count >= request.limit
        round.take(claim, isFull: isFull)
        mayHaveMore = isFull || request.flows.count < rooms.count
        for (run, activeLease) in zip(claim.runs, activeLeases) { begin(run, activeLease) }
        nextDueAt = claim.nextDueAt
        hasTicked = try await tick(claim.schedules, &ticks, askedAt: asked)
      } catch {
        if Self.isFinal(error) {
          fail(with: error)
          break
        }
        emit(.journalUnavailable(error: Self.text(of: error)))
        failures += 1
      }
      if isStopping { break }
      // Without room there is nothing to poll for, even if more blocked runs remain.
      if self.rooms.isEmpty { continue }
      if failures == 0, mayHaveMore || hasTicked || isQuarantinesTurn || blocked.hasMore {
        continue
      }
      var deadline = deadline(nextDueAt: nextDueAt, failures: failures)
      if failures == 0, let next = ticks.nextAt { deadline = min(deadline, next) }
      await wakeEvent.wait(until: deadline, by: time, on: options.executor)
    }
  }

  /// Waits while no run is claimed.
  ///
  /// Meanwhile due schedules must start and overdue runs be cancelled. A journal does that at each
  /// claim, even one that gives no run, so this makes one claim per lease. The renewals wake it: a
  /// worker without room has leases.
  private func wait(until end: Duration?, ticking ticks: inout Ticks) async {
    setClaimHeldUp(true)
    let deadline = [end, ticks.nextAt].compactMap(\.self).min()
    await wakeEvent.wait(until: deadline, by: time, on: options.executor)
    setClaimHeldUp(false)
    let look = min(ticks.nextAt ?? .seconds(Int64.max), ticks.askedAt + lease)
    if look <= time.uptime, !isStopping { await tickWithoutRoom(&ticks) }
  }

  /// Claims on the renewal thread: work that blocks all other threads must not delay the renewal of
  /// a new lease.
  private func claim(_ request: ClaimRequest) async throws -> (Claim, [ActiveLease]) {
    try await withTaskExecutorPreference(renewalExecutor) {
      let now = journalTime
      let claim = try await PayloadDecoding.$queue.withValue(decodings) {
        try await journal.claim(request, at: now)
      }
      return (claim, take(claim, askedFor: request, at: now.uptime))
    }
  }

  /// The largest number of runs claimed before the work of all of them has begun.
  static let claimLimit = max(16, 2 * ProcessInfo.processInfo.activeProcessorCount)

  /// The uptime until which it waits for a signal.
  ///
  /// By uptime, because setting the wall clock back must not delay due runs.
  private func deadline(nextDueAt: Date?, failures: Int) -> Duration {
    var pause = max(.milliseconds(1), options.pollInterval)
    // An unavailable journal is polled less and less often, but at least every five seconds.
    for _ in 0..<min(failures, 10) where pause < .seconds(5) { pause = min(pause * 2, .seconds(5)) }
    if failures == 0, let nextDueAt {
      // In this order a date that is not a number gives the whole pause.
      let seconds = min(pause / .seconds(1), max(nextDueAt.timeIntervalSince(time.now), 0))
      // At least a microsecond, and more than the rounding error of dates.
      pause = min(pause, .seconds(seconds) + .microseconds(1))
    }
    return time.uptime + pause
  }

  /// Whether repeating the claim can't help: the journal is unusable, or its limits do not fit its
  /// shards.
  private static func isFinal(_ error: any Error) -> Bool {
    error is ShardingError || (error as? JournalError)?.isTransient == false
  }

  /// The description of an error for operators, as stored in a journal.
  static func text(of error: any Error) -> String {
    let text = (error as? any DescribedError)?.message ?? String(describing: error)
    return text.stored(inBytes: 4_096)
  }
}

/// Which flows a claim asks for while claims are full.
///
/// A claim takes the runs longest due, so one flow's backlog can fill it. Therefore the flows of a
/// full claim are left out of the next ones, until a claim is not full or each flow had its turn.
private struct ClaimRound {
  /// The flows that had their turn.
  private var served: Set<String> = []

  /// The rooms to ask for.
  mutating func rooms(
    among rooms: [ClaimRequest.FlowRoom], _ quarantine: ClaimRequest.Quarantine
  ) -> [ClaimRequest.FlowRoom] {
    // The turn of a group is that of all groups.
    guard !served.isEmpty, case .left = quarantine else { return rooms }
    let others = rooms.filter { !served.contains($0.flow) }
    if !others.isEmpty { return others }
    served = []
    return rooms
  }

  mutating func take(_ claim: Claim, isFull: Bool) {
    if isFull { served.formUnion(claim.runs.map(\.record.flow)) } else { served = [] }
  }
}

/// The blocked runs that a runner has yet to check.
///
/// They are read a page of one flow at a time, so that other work need not wait for all of them.
struct BlockedRuns {
  fileprivate var flows: [DurableFlow]
  fileprivate var before: RunID?
  /// Whether they could not be read.
  fileprivate var isHeldUp = false

  init(flows: [DurableFlow]) { self.flows = flows }

  /// Whether more of them can be checked at once.
  var hasMore: Bool { !flows.isEmpty && !isHeldUp }
}

extension RunnerSession {
  /// Frees a page of blocked runs; if the list can't be read, other runs are still claimed.
  ///
  /// If one of several journals is down, the list fails, but the others have work.
  private func freeSome(of blocked: inout BlockedRuns) async throws {
    do {
      try await free(&blocked)
      blocked.isHeldUp = false
    } catch let error as JournalError where error.isTransient {
      // The claim reports a journal that is entirely unavailable.
      blocked.isHeldUp = true
    }
  }

  /// Makes the blocked runs of a page ready, as many as a claim takes; the next claim reads them.
  ///
  /// Older code could not read them, or this code before it was corrected. This call reads none: a
  /// run that ends the process when it is read must have been claimed, so that the crash is
  /// counted. Runs that are still unreadable are blocked again.
  func free(_ blocked: inout BlockedRuns) async throws {
    guard let flow = blocked.flows.first else { return }
    let page = try await journal.runs(
      RunQuery(flow: flow.name, states: [.blocked], before: blocked.before, limit: Self.claimLimit))
    for record in page.runs where flow.mayFree(record) {
      try await journal.free(record.id, by: options.worker, at: journalTime)
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
  /// Makes a blocked run ready, unless another process has done so.
  func free(_ id: RunID, by worker: String, at time: JournalTime) async throws {
    do {
      try await change(id, .retry, by: worker, at: time)
    } catch JournalError.notAllowed, JournalError.noRun {}
  }
}
