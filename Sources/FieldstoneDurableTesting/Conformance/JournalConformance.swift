public import FieldstoneCore
public import FieldstoneDurable
public import Foundation

/// A conformance suite for journals.
///
/// It needs no test framework: ``check()`` throws an error with all broken promises.
///
/// ```swift
/// @Test func conforms() async throws {
///   try await JournalConformance { try MyJournal(in: temporaryFolder()) }.check()
/// }
/// ```
///
/// The suite checks each sentence of the documentation of `Journal` with a new journal. It sets its
/// own clocks and never sleeps. A journal that refuses schedules with `JournalError.noSchedules`,
/// or a record of slots with `.noSlots`, is not tested for them further. In all it makes some 3,000
/// starts and checkpoints. It has no time limit for a call that hangs.
public struct JournalConformance<Store: Journal>: Sendable {
  /// The transactions of a journal: a write of a text, and the written texts.
  public struct Transactions: Sendable {
    let write: @Sendable (String) -> CheckpointWrite
    let written: @Sendable (Store) async throws -> [String]

    /// Makes the description of a journal's transactions.
    ///
    /// - Parameters:
    ///   - write: makes a write that stores a text beside the journal's own data.
    ///   - written: reads all stored texts, in any order; none if nothing was written yet.
    public init(
      write: @escaping @Sendable (String) -> CheckpointWrite,
      written: @escaping @Sendable (Store) async throws -> [String]
    ) {
      self.write = write
      self.written = written
    }
  }

  let makeJournal: @Sendable () async throws -> Store

  /// The journal's transactions; nil for a journal that throws `JournalError.noTransactions`.
  public var transactions: Transactions?

  /// Opens a second journal on an open store; nil for journals that can't share a store.
  public var openAnother: (@Sendable (Store) async throws -> Store)?

  /// Sets the clock of the server; required for journals whose `Journal.clock` is `.server`.
  ///
  /// The suite's callers then have clocks that are hours off, and changing boots. The journals of
  /// one store share its clock.
  public var setClock: (@Sendable (Store, Date) async throws -> Void)?

  /// Whether the journals store reports and workers; these requirements are optional.
  public var keepsReports = true

  /// Whether the journals have an audit; this requirement is optional.
  public var keepsAudit = true

  /// The payload limit of the journals, in bytes.
  public var payloadLimit = PayloadLimits().error

  /// The slot of all identifiers, for a journal that keeps its promises only among the runs of a
  /// slot.
  ///
  /// Nil for random slots.
  package var slot: (@Sendable (Store) -> UInt16?)?

  /// Whether the journals tell reports of runs that were given back from those of lost claims.
  ///
  /// Other packages' journals can't.
  package var keepsLateReports = false

  /// Makes a suite for a journal.
  ///
  /// - Parameter makeJournal: makes an empty journal; each promise is checked with a new one.
  public init(makeJournal: @escaping @Sendable () async throws -> Store) {
    self.makeJournal = makeJournal
  }

  /// Checks all promises.
  ///
  /// - Throws: ``JournalConformanceError`` with all broken promises; errors of `makeJournal` and
  ///   `openAnother`.
  public func check() async throws {
    var failures: [JournalConformanceError.Failure] = []
    for trial in JournalTrial.all {
      failures += try await failuresOf(trial)
    }
    if !failures.isEmpty {
      throw JournalConformanceError(journal: "\(Store.self)", failures: failures)
    }
  }

  /// Whether the suite finds a promise broken; it runs the promise's own trial first, and stops
  /// when found.
  ///
  /// For the tests of the suite itself, with some 200 journals that break one promise each.
  package func finds(_ promise: JournalConformanceError.Promise) async throws -> Bool {
    let own = JournalTrial.all.filter { $0.promise == promise }
    for trial in own + JournalTrial.all.filter({ $0.promise != promise }) {
      let failures = try await failuresOf(trial)
      if failures.contains(where: { $0.promise == promise }) { return true }
    }
    return false
  }

  private func failuresOf(_ trial: JournalTrial) async throws -> [JournalConformanceError.Failure] {
    if !keepsAudit, [.audit, .auditPages].contains(trial.promise) { return [] }
    if !keepsReports, [.reports, .logLines, .workers].contains(trial.promise) { return [] }
    let store = try await makeJournal()
    let another = try await openAnother?(store)
    let examination = JournalExamination(
      journal: seenByCallers(store, skew: 3_600),
      other: another.map { seenByCallers($0, skew: -7_200) }, payloadLimit: payloadLimit)
    examination.slot = slot?(store)
    examination.keepsLateReports = keepsLateReports
    examination.keepsAudit = keepsAudit
    if let transactions {
      examination.transactions = (transactions.write, { try await transactions.written(store) })
    }
    do {
      try await trial.body(examination)
    } catch JournalError.noSchedules, JournalError.noSlots {
      // These requirements are optional.
    } catch let error as JournalExamination.Missing {
      examination.expect(false, trial.promise, error.detail)
    } catch {
      examination.expect(false, trial.promise, "it threw \(error).")
    }
    return examination.failures
  }

  /// The journal as seen by callers: their clocks are wrong if it has a server's clock.
  private func seenByCallers(_ store: Store, skew: TimeInterval) -> any Journal {
    guard store.clock == .server, let setClock else { return store }
    return SkewedJournal(decorated: store, skew: skew) { try await setClock(store, $0) }
  }
}

/// The broken promises of a journal.
public struct JournalConformanceError: DescribedError {
  /// A promise of a journal.
  package enum Promise: String, Sendable, Hashable, CaseIterable {
    /// A started run exists, ready, as it was given.
    case start = "A run that is started is there, ready, as it was given."
    /// Many starts in one call have the same results as single starts.
    case starts = "Many starts in one call are each answered at its place, as if it had come alone."
    /// A flow has at most one run with a key, in any state.
    case key = "A flow has one run of a key, whatever its state; starting it again changes nothing."
    /// A start whose key is taken follows its policy.
    case takenKey =
      "A start whose key is taken does what its policy says; repeating it changes nothing."
    /// No worker claims a run before the time of its start.
    case notBefore = "No worker gets a run before the time that its start has named."
    /// Due runs with a higher priority are claimed first.
    case priority =
      "Of runs that are due, the higher priority goes first; a level is an hour of waiting."
    /// A payload at the limit is accepted, and a larger one refused.
    case payloadLimit = "A payload at the limit is taken, and one above it refused."
    /// A key at the limit is accepted, and a longer one refused.
    case keyLimit = "A key at the limit of PayloadLimits.key is taken, and a longer one refused."
    /// A claim gives the due runs, marked as running.
    case claim = "A claim gives the runs that are due, marked as running, and no others."
    /// Runs taken over come first, then those longest due.
    case order = "Runs taken over come first, then those longest due."
    /// A worker gets no more than it has room for.
    case room = "A worker gets as many runs of a flow as it has room for, and no more."
    /// Newer versions are left alone.
    case version = "Runs of a newer version than the worker's are left alone."
    /// Each claim increases the fence by one.
    case fence = "Each claim makes the fence one higher."
    /// Each attempt counts.
    case attempts =
      "Each attempt counts, but for one that ended with a crash; a new stage has none."
    /// Crashes are counted separately from attempts.
    case crashes =
      "Crashes are counted apart from attempts, until a worker survives or an operator helps."
    /// Crash-suspected runs are tried in groups, which are halved.
    case quarantine = "Crash-suspected runs are tried a group at a time, and halved when it dies."
    /// A group of one is tried alone.
    case alone = "A group of one is tried alone; its crash counts as lone unless it got company."
    /// A wait is over at its wall time, once.
    case wait = "A wait is over at its wall time, and fires once."
    /// A claim reports when the next run is due.
    case nextDue = "A claim tells when the next run is due."
    /// Setting the wall clock loses no lease and delays no ready run.
    case wallClock = "A wall clock that is set loses no lease and holds back no ready run."
    /// A journal uses the clock that it declares.
    case clock = "A journal goes by the clock that it says it keeps, and by no other."
    /// A lease expires by the journal's clock, or in another boot if boots count.
    case lease =
      "A lease is over at its end by the journal's clock, or in another boot, and not before."
    /// Two workers never hold a run at the same time.
    case exclusive = "Of many concurrent callers, one gets the run."
    /// A checkpoint leads to its next step.
    case checkpoint = "A checkpoint leads to what it says follows."
    /// The steps are an unbroken chain.
    case chain = "The steps of a run are an unbroken chain 0…n, each as its stage was left."
    /// The same checkpoint is refused the second time.
    case once = "The same checkpoint is refused the second time."
    /// A worker that has lost a run is refused and changes nothing.
    case fencing = "A worker that has lost a run is refused by claimLost, and changes nothing."
    /// A renewal extends held leases and reports lost claims.
    case renewal = "A renewal prolongs the leases that are held and tells the claims that are lost."
    /// A parked run's state follows the reason.
    case parking = "A run that is given back is as the reason says."
    /// A signal is received by its name, sent before or after.
    case signal = "A signal is received by its name, sent before or after, in the order of coming."
    /// A signal with a known identifier is not sent again.
    case signalOnce = "A signal sent again is the same signal, also when it was consumed since."
    /// A signal is delivered until it is consumed.
    case consumption = "A signal is given to each attempt until a checkpoint consumes it."
    /// A run continues without a signal when its time is out.
    case timeout = "A run goes on without a signal when its time is out, and not before."
    /// Signals are refused if the run or the payload does not allow them.
    case signalRefusal = "A signal to no run, to one that is over, or without JSON is refused."
    /// Payloads that a codec has encoded are stored and returned byte for byte.
    case coded = "Payloads that CodedJournal has encoded are taken and given byte for byte."
    /// A retried run is ready at once, with all its attempts available.
    case retry = "A retried run is ready at once, with all its attempts before it."
    /// An edited run continues with the other stage.
    case edit = "An edited run goes on with the other stage, and the one before stays in the steps."
    /// A cancelled run has no worker.
    case cancel = "A cancelled run is over, and its worker loses it."
    /// A paused run is not claimed, and is given back at its checkpoint.
    case pause = "A paused run is not claimed; one under way is given back at its checkpoint."
    /// A pause ends when it is resumed or at its time.
    case pauseEnd = "A pause ends when it is resumed or its time has come; then its runs go on."
    /// A worker that would ignore a pause or a limit gets nothing.
    case protocolVersion = "A worker that would ignore a pause or a limit gets nothing."
    /// A run is cancelled once its deadline has passed.
    case deadline =
      "A run is cancelled by the first claim or renewal after its deadline, whatever it waits for."
    /// A schedule is stored as it was set.
    case schedules = "Schedules are kept as they were set, and listed by their names."
    /// A schedule changes once, with its runs.
    case scheduleOnce =
      "Of those who have read the same schedule one changes it, and starts its runs with that."
    /// A claim reports the due schedules.
    case scheduleDue =
      "A claim tells all workers which schedules are due, and when the next one is."
    /// A run's reports are stored while its claim holds.
    case reports =
      "What stages report is kept, once, in their order, unless the claim was lost; what the runner reports is kept then, too; runs stay as they are."
    /// The newest log lines are kept.
    case logLines = "Of a run's log lines the newest are kept, and given after a place."
    /// A worker is listed from its announcement to its end.
    case workers =
      "A worker is listed as it has announced itself, until it ends or is silent for a day."
    /// A journal accepts no run of a slot that it does not own.
    case slots = "A journal takes no run of a slot that it does not own, on no way."
    /// A run is found by its attributes, and keeps them and its trace.
    case attributes = "A run is found by all of its attributes, and keeps them and its trace."
    /// A run's standing has whether its signal exists, and whether it is in quarantine.
    case standing =
      "A run's standing says whether its signal is there, and whether it is in quarantine."
    /// The limits of a flow are stored as they were set.
    case limits =
      "The limits of a flow are kept as they were set; others replace them when asked to."
    /// No more runs of a flow are given than its limit allows, by any path.
    case flowLimit =
      "Workers have as many runs of a flow as its limit allows, and no place is leaked."
    /// No more runs of a concurrency key are given than its limit allows.
    case keyPlaces =
      "As many runs of a concurrency key are given as its limit allows, in order; none is left behind."
    /// Runs are given no more often than a rate allows.
    case rate = "Runs of a flow are given as often as its rate allows."
    /// Pages contain each run once, youngest first.
    case pages = "Pages hold each run once, the youngest first, while others come and go."
    /// A query returns the matching runs.
    case filter = "A query gives the runs that it asks for, all of them and no others."
    /// Page limits are clamped to 1…1,000.
    case pageLimit = "A page holds at most its limit, which counts from 1 to 1,000."
    /// Pages have the requested order.
    case pageOrder = "Pages are in the order that is asked for, and hold each run once."
    /// A ready run is found by its wait.
    case waits = "A ready run is found by what it waits for, as the last claim has left it."
    /// Dead and blocked runs are found and grouped by the fingerprints of their errors.
    case errors =
      "Dead and blocked runs are found and grouped by the fingerprints of their errors."
    /// A count is exact up to its limit.
    case count = "A count is exact up to its limit, and says whether there are more."
    /// Pages of steps contain each step once, oldest first.
    case stepPages = "Pages of steps hold each step once, the oldest first."
    /// Every change is found from the mark before it.
    case changes =
      "Every run that came to another stage or to rest since a mark is in the changes since then."
    /// Each change by a person or a program writes one audit row, as does each signal with an actor.
    case audit =
      """
      Each change by a person or a program, and each signal with an actor, leaves one audit row: \
      who, when, what, before and after.
      """
    /// Pages of audit rows contain each row once, newest first.
    case auditPages =
      "Pages of audit rows hold each row once, the newest first, of all subjects or of one."
    /// A fork keeps its origin and writes an audit row.
    case fork = "A fork keeps its origin and leaves one audit row, however often it is started."
    /// A finished run is deleted by its identifier.
    case purgeOfRun =
      "A run that is over is deleted by its identifier with all that hangs on it, and no other is."
    /// A purge deletes only old finished runs.
    case purge = "A purge takes what is over and older than the retention, and nothing else."
    /// A checkpoint's starts and signals are made with it or not at all.
    case outgoing = "A checkpoint's starts and signals are made with it or not at all."
    /// A step's children exist if and only if it was written.
    case children = "A step's children are there if and only if it was written, each of them once."
    /// A run waits for its children as its policy says.
    case join =
      "A run waits for its children as its policy says; each end counts once, and none is lost."
    /// Children that no run awaits are cancelled.
    case orphans =
      "Children that their run waits for no longer are cancelled, but for the detached ones."
    /// Outcomes of children are those of the end of the wait.
    case childOutcomes =
      "Outcomes of children are those at the end of the wait, and are kept until they are read."
    /// Writes are made with their checkpoint or not at all.
    case transaction = "A checkpoint's own writes are made with it or not at all."
    /// Two journals on one store behave as one.
    case sharing = "Two journals on the same store are as one."
  }

  /// A broken promise, with the actual behaviour.
  package struct Failure: Sendable, Hashable {
    /// The promise.
    package let promise: Promise
    /// The actual behaviour.
    package let detail: String
  }

  /// The type of the journal.
  package let journal: String

  /// The broken promises, in the order of the checks.
  package let failures: [Failure]

  /// The broken promises and the actual behaviour, each on a line.
  public var message: String {
    let lines = failures.map { "- \($0.promise.rawValue) Instead: \($0.detail)" }
    return "\(journal) breaks promises of a journal; mend it:\n" + lines.joined(separator: "\n")
  }
}
