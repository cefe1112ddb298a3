public import FieldstoneCore

/// Runs durable flows on a journal: claims their runs, does their stages' work and checkpoints it.
///
/// The guarantee: *once a checkpoint returns, it is never undone, skipped or overwritten: each
/// run's journal is an unbroken chain 0…n, each link written by the lease holder of its time. A
/// stage's work runs at least once; its transition happens exactly once. After a crash or a stall
/// the current stage's work may run again, and may overlap the stalled one, with the same
/// idempotency key.*
///
/// ```swift
/// let runner = try DurableRunner(journal: journal, flows: [DurableFlow(FileOpen.self, name: "open")])
/// async let work: Void = runner.run()
/// let document = try await runner.start(FileOpen.read(url), key: url.path).value
/// ```
///
/// Any number of runners, in any number of processes, may work on one journal. A runner can also
/// start runs and await them without a call of ``run()``.
public final class DurableRunner: Sendable {
  /// The journal of the runs.
  public let journal: any Journal

  /// The runner's options.
  public let options: DurableRunnerOptions

  /// The flows that it runs.
  public let flows: [DurableFlow]

  let time: TimeSource
  let news: RunChangeNotifier
  let requests: RunRequests
  let startGate = StartGate(places: DurableRunner.startsAtOnce)
  /// One batch at a time; a batch holds as much as all single starts together.
  ///
  /// One that waits for a lock of an app's transaction, for example of a start with the same key, gives
  /// its place to a batch of another call. The next batch of its own call comes after it.
  let batchGate = StartGate(places: 1)
  private let flowsByName: [String: DurableFlow]
  private let session = Locked<RunnerSession?>(nil)
  private let ownWrites = Locked<Registration?>(nil)

  /// Makes a runner; it works once ``run()`` is called.
  ///
  /// - Throws: ``DurableRunnerError/duplicateFlow(_:)``.
  public init(
    journal: any Journal, flows: [DurableFlow],
    options: DurableRunnerOptions = DurableRunnerOptions(), time: TimeSource = .system
  ) throws {
    var flowsByName: [String: DurableFlow] = [:]
    for flow in flows where flowsByName.updateValue(flow, forKey: flow.name) != nil {
      throw DurableRunnerError.duplicateFlow(flow.name)
    }
    self.journal = journal
    self.flows = flows
    self.flowsByName = flowsByName
    self.time = time
    self.options = options
    requests = RunRequests(
      journal: journal, flows: flows, limits: journal.limits, time: time, options: options,
      events: RunnerEvents(handler: options.onEvent))
    news = RunChangeNotifier(journal: journal, time: time, options: options)
    let registration = (journal as? any OwnWriteJournal)?.observeOwnWrites { [weak self] ids in
      self?.nudge(ids)
    }
    ownWrites.withLock { $0 = registration }
  }

  /// The number of starts that are written at the same time; later ones wait, holding only stages.
  package static let startsAtOnce = 256

  /// Works until the task is cancelled or ``shutdown()`` is called.
  ///
  /// After that it claims no more runs. Each run in progress continues up to its next checkpoint,
  /// for ``DurableRunnerOptions/shutdownGrace`` at most. When the grace ends, the work is cancelled
  /// and its later results are dropped. The run is given back, and the attempt does not count. The
  /// call returns when all work has ended, so work that ignores its cancellation delays it.
  /// Meanwhile its leases are renewed, and no lease is left behind.
  ///
  /// At its beginning it makes the blocked runs of its flows ready, except those of newer versions.
  /// A claim then reads each of them like any other run; unreadable runs are blocked again.
  ///
  /// If the journal is temporarily unavailable, the runner waits and tries again.
  ///
  /// - Throws: `CancellationError` if the task was cancelled; ``JournalError`` if the journal was
  ///   closed, is damaged or is unusable for good, or if another live runner has the same worker
  ///   name; ``ShardingError`` if a flow's limit can't be split over the shards;
  ///   ``DurableRunnerError/runsAlready``. Two runners with one name on the same journal
  ///   object are not distinguished: give each its own name, as the default options do.
  @concurrent
  public func run() async throws {
    let session = RunnerSession(
      journal: journal, flows: flowsByName, time: time, options: options, news: news,
      requests: requests)
    let isFirst = self.session.withLock { current in
      guard current == nil else { return false }
      current = session
      return true
    }
    guard isFirst else {
      session.discard()
      throw DurableRunnerError.runsAlready
    }
    let failure = await withTaskCancellationHandler {
      // A separate task, which is never cancelled: held runs must be given back.
      await Task(executorPreference: options.executor) {
        let failure = await session.work()
        // Before the caller learns that the session has ended, and calls `run()` again.
        self.session.withLock { $0 = nil }
        session.end()
        return failure
      }.value
    } onCancel: {
      session.stop()
    }
    if let failure { throw failure }
    try Task.checkCancellation()
  }

  /// Ends ``run()`` as gracefully as cancelling its task does, and returns when it has ended.
  ///
  /// It does nothing if the runner does not run. Don't await it in a stage's work: it waits for
  /// that work.
  public func shutdown() async {
    guard let session = session.withLock({ $0 }) else { return }
    session.stop()
    await session.waitUntilEnded()
  }

  /// What it does, for tools that show it; O(runs that are held).
  ///
  /// - Parameter limit: the maximum number of runs that are listed, in the order of their claims.
  package func standing(atMost limit: Int) -> RunnerStanding {
    guard let session = session.withLock({ $0 }) else { return RunnerStanding() }
    return session.standing(atMost: limit)
  }

  /// Ends the grace of a shutdown in progress.
  func endGrace() {
    session.withLock { $0 }?.endGrace()
  }
}

extension DurableRunner {
  /// Wakes the handles that wait for a run that this process has changed.
  ///
  /// - Parameter fence: the last fence that the change invalidates.
  func nudge(_ id: RunID, lostUpTo fence: Int? = nil) {
    let session = session.withLock { $0 }
    if let fence { session?.lose(id, upTo: fence) }
    session?.wakeEvent.signal()
    news.notify(id)
  }

  /// Wakes the claims after a pause has begun or ended.
  func wake(_ target: PauseTarget) {
    if case .run(let id) = target { return nudge(id) }
    session.withLock { $0 }?.wakeEvent.signal()
  }

  /// Wakes the claims after this process has changed a schedule.
  func wakeForSchedules() {
    session.withLock { $0 }?.wakeEvent.signal()
  }

  /// Wakes the waiters of runs that this process has started or changed.
  func nudge(_ ids: [RunID]) {
    guard !ids.isEmpty else { return }
    session.withLock { $0 }?.wakeEvent.signal()
    for id in ids { news.notify(id) }
  }

  /// Throws for a run that this runner can't work on.
  func expectToRun(_ record: RunRecord) throws(DurableRunError) {
    guard let flow = flowsByName[record.flow] else {
      throw .unknownFlow(record.id, flow: record.flow)
    }
    guard record.version <= flow.version else {
      throw .newerVersion(record.id, found: record.version, known: flow.version)
    }
  }

  func emit(_ kind: RunnerEvent.Kind, flow: String, run: RunID) {
    requests.events.emit(kind, flow: flow, run: run, sequence: 0)
  }
}
