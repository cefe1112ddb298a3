import FieldstoneCore

/// The reports of a session's stages, queued for the journal.
final class ReportQueue: Sendable {
  /// Signalled when there is something to write, when the worker must announce itself, and at the
  /// end.
  let wakeEvent = WakeEvent()
  private let limits: PayloadLimits
  private let time: TimeSource
  private let state: Locked<PendingReports>
  /// The uptime of the worker's next announcement; nil during an announcement.
  private let announcesAt = Locked<Duration?>(nil)

  init(limits: PayloadLimits, time: TimeSource) {
    self.limits = limits
    self.time = time
    state = Locked(PendingReports(keeping: limits.keptLogLines))
  }

  /// The shortest interval between two writes.
  static let interval = Duration.milliseconds(250)

  var isEmpty: Bool { state.withLock { $0.isEmpty } }
  var end: Int { state.withLock { $0.end } }
  func isTaken(upTo end: Int) -> Bool { state.withLock { $0.takenCount >= end } }

  func open(_ claim: PendingReports.Claim) { state.withLock { $0.open(claim) } }
  func hold(_ claim: PendingReports.Claim) { state.withLock { $0.hold(claim) } }
  func close(_ claim: PendingReports.Claim, isGivenBack: Bool) {
    if state.withLock({ $0.close(claim, isGivenBack: isGivenBack) }) { wakeEvent.signal() }
  }
  func take() -> [RunReportWrite] { state.withLock { $0.take() } }
  func confirm(_ writes: [RunReportWrite]) { state.withLock { $0.confirm(writes) } }
  func putBack(_ writes: [RunReportWrite]) { state.withLock { $0.putBack(writes) } }

  fileprivate func add(
    _ fraction: Double, _ text: String?, _ sequence: Int, _ claim: PendingReports.Claim
  ) {
    let progress = RunProgress(
      fraction, text: text.map(limits.bounded), sequence: sequence, reportedAt: time.now)
    if state.withLock({ $0.add(progress, of: claim) }) { wakeEvent.signal() }
  }

  fileprivate func add(_ line: String, _ sequence: Int, _ claim: PendingReports.Claim) {
    let (text, now) = (limits.bounded(line), time.now)
    if state.withLock({ $0.add(text, at: sequence, of: claim, now: now) }) { wakeEvent.signal() }
  }
}

extension ReportQueue {
  /// Adds a line of the runner's own.
  func note(_ text: String, on claim: RunClaim) {
    let (text, now) = (limits.bounded(text), time.now)
    let isFirst = state.withLock {
      $0.add(
        text, at: claim.sequence, of: PendingReports.Claim(claim), now: now, isOfRunner: true)
    }
    if isFirst { wakeEvent.signal() }
  }

  /// Makes a line of the runner's own, to be written with the run's return.
  func line(_ text: String, on claim: RunClaim) -> RunLogLine? {
    let number = state.withLock { $0.nextNumber(of: PendingReports.Claim(claim)) }
    return number.map {
      RunLogLine(
        place: RunLogLine.Place(fence: claim.fence, number: $0), text: limits.bounded(text),
        sequence: claim.sequence, loggedAt: time.now, isOfRunner: true)
    }
  }

  /// Wakes the announcing task if an announcement is due.
  func announceIfDue() {
    let now = time.uptime
    if announcesAt.withLock({ $0.map { $0 <= now } ?? false }) { wakeEvent.signal() }
  }

  /// Returns whether an announcement is due; it then counts as in progress.
  func beginAnnouncement(isFirst: Bool) -> Bool {
    let now = time.uptime
    return announcesAt.withLock { next in
      let isDue = isFirst || next.map { $0 <= now } ?? false
      if isDue { next = nil }
      return isDue
    }
  }

  func endAnnouncement(nextAt uptime: Duration) { announcesAt.withLock { $0 = uptime } }
}

/// Receives the reports of a stage's work.
struct StageReporter: StageReports {
  let queue: ReportQueue
  let claim: RunClaim

  private var key: PendingReports.Claim { PendingReports.Claim(claim) }

  func report(_ fraction: Double, _ text: String?) {
    queue.add(fraction, text, claim.sequence, key)
  }

  func log(_ line: String) { queue.add(line, claim.sequence, key) }
}

extension PendingReports.Claim {
  init(_ claim: RunClaim) { self.init(run: claim.id, fence: claim.fence) }
}
