import Foundation

/// How a runner works: its name, its leases, its patience, and its handler of events.
public struct DurableRunnerOptions: Sendable {
  /// Names the worker in the journal; no two runners that are alive have the same.
  public var worker: String

  /// How long the runner has a run before it must renew; it does so at a third of it.
  ///
  /// So long may a run lie still whose worker's machine has died. Less than a millisecond counts as
  /// one. Nil for the journal's own, ``JournalClock/defaultLease``.
  public var lease: Duration?

  /// How often an idle runner asks the journal, and a handle whose run is worked on elsewhere.
  ///
  /// What this runner does itself, it hears of at once.
  public var pollInterval: Duration

  /// How long work goes on after a shutdown has begun, up to its next checkpoint, before it is
  /// cancelled; ten seconds unless given.
  ///
  /// While the journal can't be used, runs are given back for one second more. A run that could not be
  /// given back is claimed by another worker when its lease has ended.
  public var shutdownGrace: Duration

  /// How many crashes at its stage make a run a crash-suspected one, which is in quarantine.
  ///
  /// Its work may have ended the workers. Crash-suspected runs are tried in groups that are halved
  /// when their worker dies, until each is cleared or alone: see <doc:WhatRunsAgain>, with the bounds.
  /// Less than one counts as one.
  public var crashesBeforeQuarantine: Int

  /// For how many leases renewals go on while the stages' executor runs nothing.
  ///
  /// Leases are renewed on a thread of their own, so work that blocks all other threads loses no run.
  /// A process that hangs for good would keep its runs for ever: after so many leases renewals stop,
  /// with an event, until the executor runs something again. Less than one counts as one.
  public var maximumHeldUpLeases: Int

  /// Names the boot since when uptime counts; read from the system unless given.
  public var boot: String

  /// The source of chance, for identifiers and for jitter; may be called from any thread.
  public var random: @Sendable () -> UInt64

  /// Where the stages' work runs, and what the runner does but for the renewal of leases; the global
  /// executor when nil.
  public var executor: (any TaskExecutor)?

  /// Where leases are renewed; a thread of the runner's own when nil.
  package var renewalExecutor: (any TaskExecutor)?

  /// Stands around the work of every attempt at a stage, for traces and the like; nil does nothing.
  ///
  /// It calls ``StageAttempt/perform()`` and returns what that returns; in between it may bind
  /// task-locals, which the work then sees. The checkpoint comes afterwards. What it throws counts
  /// as thrown by the work, so let the work's errors through. It runs where the work does.
  ///
  /// ```swift
  /// options.aroundStage = { attempt in
  ///   try await Tenant.$current.withValue(tenant) { try await attempt.perform() }
  /// }
  /// ```
  public var aroundStage: (@Sendable (StageAttempt) async throws -> StageOutcome)?

  /// Called with every event, on the thread on which it happens, and perhaps on several at once.
  ///
  /// Keep it short. ``DurableRunner/observe(_:)`` adds observers, any number of them.
  public var onEvent: (@Sendable (RunnerEvent) -> Void)?

  /// Makes options; what is not named stays as it is by default.
  public init(
    worker: String? = nil, lease: Duration? = nil,
    pollInterval: Duration = .milliseconds(250), shutdownGrace: Duration = .seconds(10),
    crashesBeforeQuarantine: Int = 2, maximumHeldUpLeases: Int = 10,
    boot: String? = nil,
    random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: 0...UInt64.max) },
    executor: (any TaskExecutor)? = nil,
    aroundStage: (@Sendable (StageAttempt) async throws -> StageOutcome)? = nil,
    onEvent: (@Sendable (RunnerEvent) -> Void)? = nil
  ) {
    let process = ProcessInfo.processInfo.processIdentifier
    self.worker = worker ?? "\(process)-\(String(random(), radix: 36))"
    self.lease = lease
    self.pollInterval = pollInterval
    self.shutdownGrace = shutdownGrace
    self.crashesBeforeQuarantine = crashesBeforeQuarantine
    self.maximumHeldUpLeases = maximumHeldUpLeases
    self.boot = boot ?? BootIdentifier.current
    self.random = random
    self.executor = executor
    self.aroundStage = aroundStage
    self.onEvent = onEvent
  }
}

/// Names the boot of this machine, since when its uptime counts.
enum BootIdentifier {
  /// Read once: it can't change while the process lives.
  static let current: String = read() ?? "unknown"

  private static func read() -> String? {
    #if canImport(Darwin)
      var size = 0
      guard sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0) == 0, size > 0 else {
        return nil
      }
      var bytes = [UInt8](repeating: 0, count: size)
      guard sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 else { return nil }
      let name = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    #else
      let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
      let name = (text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    #endif
    return name.isEmpty ? nil : name
  }
}
