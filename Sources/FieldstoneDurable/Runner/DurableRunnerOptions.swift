import Foundation

/// How a runner works: its name, leases, time limits and event handler.
public struct DurableRunnerOptions: Sendable {
  /// Names the worker in the journal; two live runners must not have the same name.
  public var worker: String

  /// How long the runner holds a run before it must renew; it renews after a third of it.
  ///
  /// This is the longest time before a dead worker's run is reclaimed. Values below a millisecond
  /// count as one. Nil for the journal's default, ``JournalClock/defaultLease``.
  public var lease: Duration?

  /// How often an idle runner polls the journal, and a handle whose run is worked on elsewhere.
  ///
  /// Changes that this runner makes are noticed at once.
  public var pollInterval: Duration

  /// How long work continues after a shutdown begins, up to its next checkpoint; 10 s by default.
  ///
  /// After that it is cancelled. While the journal is unavailable or does not answer, the runner
  /// tries for one second more to give its runs back. If the work ignores its cancellation, that
  /// second begins when it returns, and its lease is renewed until then. Another worker claims the
  /// remaining runs when their leases have expired. A call that the journal has not answered when
  /// the shutdown begins is awaited, so the shutdown may last for as long as the journal waits for
  /// other processes.
  public var shutdownGrace: Duration

  /// The number of crashes at its stage after which a run is crash-suspected, and in quarantine.
  ///
  /// The run's work may have ended the workers. Crash-suspected runs are tried in groups. A group
  /// is halved when its worker dies, until each run is cleared or alone: see <doc:WhatRunsAgain>,
  /// with the bounds. Values below one count as one.
  public var crashesBeforeQuarantine: Int

  /// For how many leases renewals continue while the stages' executor runs nothing.
  ///
  /// Leases are renewed on a separate thread, so work that blocks all other threads loses no run. A
  /// process that hangs for good would keep its runs for ever. After this number of leases,
  /// renewals stop, with an event, until the executor runs something again. Values below one count
  /// as one.
  public var maximumHeldUpLeases: Int

  /// Identifies the boot that uptime counts from; read from the system by default.
  public var boot: String

  /// The source of random numbers, for identifiers and jitter; may be called from any thread.
  public var random: @Sendable () -> UInt64

  /// Runs the stages' work, and the runner's own work except lease renewal.
  ///
  /// Nil for the global executor.
  public var executor: (any TaskExecutor)?

  /// Renews the leases; nil for a thread of the runner's own.
  package var renewalExecutor: (any TaskExecutor)?

  /// Wraps the work of every attempt at a stage, for traces and the like; nil does nothing.
  ///
  /// It calls ``StageAttempt/perform()`` and returns its result. Around that call it may bind
  /// task-locals, which the work then sees. The checkpoint follows afterwards. An error that it
  /// throws counts as thrown by the work, so rethrow the work's errors. It runs on the executor of
  /// the work.
  ///
  /// ```swift
  /// options.aroundStage = { attempt in
  ///   try await Tenant.$current.withValue(tenant) { try await attempt.perform() }
  /// }
  /// ```
  public var aroundStage: (@Sendable (StageAttempt) async throws -> StageOutcome)?

  /// Called with every event, on the thread of the event, possibly on several threads at once.
  ///
  /// Keep it short. ``DurableRunner/observe(_:)`` adds observers, any number of them.
  public var onEvent: (@Sendable (RunnerEvent) -> Void)?

  /// Makes options; parameters that are omitted have their defaults.
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

/// Identifies the boot of this machine that its uptime counts from.
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
