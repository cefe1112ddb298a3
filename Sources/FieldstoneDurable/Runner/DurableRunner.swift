public import FieldstoneCore

/// Runs durable flows on a journal: claims their runs, does their stages' work, and writes each
/// stage to the journal before it runs the next step.
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
/// Any number of runners, in any number of processes, may work on one journal. A runner may also
/// only start runs and wait for them, without ``run()`` being called.
public final class DurableRunner: Sendable {
  /// Where the runs are kept.
  public let journal: any Journal

  /// How it works.
  public let options: DurableRunnerOptions

  /// The flows that it runs.
  public let flows: [DurableFlow]

  let time: TimeSource
  let news: RunChangeNotifier
  let requests: RunRequests
  let startGate = StartGate(places: DurableRunner.startsAtOnce)
  /// One batch at a time, for it has as much in it as all single starts.
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

  /// How many starts are written at the same time; the next wait with nothing but their stages.
  package static let startsAtOnce = 256

  /// Works until the task is cancelled or ``shutdown()`` is called.
  ///
  /// Then nothing more is claimed, and what runs goes on for ``DurableRunnerOptions/shutdownGrace``
  /// at most, each run up to its next checkpoint. After that the work is cancelled; what it still
  /// comes to is dropped, and the run is given back with the attempt not counted. It returns when
  /// all work has ended, so work that does not heed its cancellation holds it up; its leases are
  /// renewed meanwhile, and none is left behind.
  ///
  /// When it begins, it makes the blocked runs of its flows ready, but for those of newer versions. A
  /// claim then reads each like any other run; those that can't be read are blocked again.
  ///
  /// A journal that can't be used for a while does not end it: it waits and tries again.
  ///
  /// - Throws: `CancellationError` when the task was cancelled; ``JournalError`` when the journal was
  ///   closed, is damaged or otherwise of no use any more, and when another runner that is alive has
  ///   the same worker's name; ``DurableRunnerError/runsAlready``. Two runners on the same journal
  ///   object are not told apart: give each a name of its own, as the options do by themselves.
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
      // A task of its own, which is never cancelled: what is held must be given back.
      await Task(executorPreference: options.executor) {
        let failure = await session.work()
        // Before a caller learns that it has ended, and calls `run()` again.
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
  /// A no-op when it does not run. Don't await it in a stage's work, which it waits for.
  public func shutdown() async {
    guard let session = session.withLock({ $0 }) else { return }
    session.stop()
    await session.waitUntilEnded()
  }

  /// Ends the grace of a shutdown that is under way.
  func endGrace() {
    session.withLock { $0 }?.endGrace()
  }
}

extension DurableRunner {
  /// Something was done to a run from here: handles that wait for it look at once.
  ///
  /// - Parameter fence: the last claim that is lost by it.
  func nudge(_ id: RunID, lostUpTo fence: Int? = nil) {
    let session = session.withLock { $0 }
    if let fence { session?.lose(id, upTo: fence) }
    session?.wakeEvent.signal()
    news.notify(id)
  }

  /// Something was paused or goes on: claims look at once.
  func wake(_ target: PauseTarget) {
    if case .run(let id) = target { return nudge(id) }
    session.withLock { $0 }?.wakeEvent.signal()
  }

  /// A schedule was changed from here: claims look at once.
  func wakeForSchedules() {
    session.withLock { $0 }?.wakeEvent.signal()
  }

  /// Runs were started or changed from here.
  func nudge(_ ids: [RunID]) {
    guard !ids.isEmpty else { return }
    session.withLock { $0 }?.wakeEvent.signal()
    for id in ids { news.notify(id) }
  }

  /// Refuses a run that this runner leaves alone.
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
