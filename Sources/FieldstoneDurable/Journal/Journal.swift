public import Foundation

/// Stores runs: each with its stage, its position in the chain, and its past steps.
///
/// A journal guarantees the following, which the conformance suite of FieldstoneDurableTesting
/// tests: *once a checkpoint returns, it is never undone, skipped or overwritten: each run's
/// journal is an unbroken chain 0…n, each link written by the lease holder of its time.* Every
/// requirement is one transaction: it takes effect completely or, if it throws, not at all.
/// ``clock`` decides which runs are due and which leases have expired; no requirement uses another
/// clock.
///
/// Requirements throw ``JournalError``.
public protocol Journal: Sendable {
  /// The limits of keys and payloads: the only place where they are set.
  ///
  /// Journals have the default limits unless they declare others. Runners warn and refuse by them
  /// before they write.
  var limits: PayloadLimits { get }

  /// The clock that decides about waits and leases; the caller's unless a journal has another.
  var clock: JournalClock { get }

  /// Adds a new run to the journal.
  ///
  /// - Returns: the run. If there is already a run of this flow and key, or of this identifier,
  ///   that run is returned unchanged, in any state.
  /// - Throws: `JournalError.tooLarge`, `.keyTooLong`, `.containsNUL`.
  func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord

  /// Adds many new runs to the journal, in order, as if each were started alone.
  ///
  /// They are written in transactions of bounded size; runs written before an error stay. A failed
  /// start does not affect the others. If the journal becomes unavailable, the remaining starts are
  /// not tried. A journal without this requirement starts one run after the other.
  ///
  /// - Returns: one result for each start, in order: what ``start(_:at:)-(RunStart,_)`` returns or
  ///   throws.
  /// - Complexity: O(n) in the number of starts.
  func start(
    _ starts: [RunStart], at time: JournalTime
  ) async -> [Result<RunRecord, any Error>]

  /// Claims due runs for a worker.
  ///
  /// Claimed are runs of the requested flows and versions: those that are ready and due, those
  /// whose awaited signal exists or whose time is out, and running ones with an expired lease. A
  /// lease expires by the journal's clock, by the boot, or because the worker is known to be dead.
  /// Each claim increases the run's fence by one. A run that is taken over counts one more crash;
  /// any other counts one more attempt. Runs that are taken over come first, then those longest
  /// due.
  ///
  /// A ready run without a time to wait for is due regardless of the wall clock. An existing signal
  /// is delivered even after the time-out, and again to each attempt until a checkpoint consumes
  /// it. If there is none at the claim, the run no longer awaits one. A run that was parked for
  /// another attempt waits for its time, even if its signal exists. It is due at once if the wall
  /// clock is set back to a time before the parking.
  ///
  /// A run that is taken over is *crash-suspected* when its crashes at the stage, including this
  /// one, reach the number of ``ClaimRequest/quarantine``. It is ready again, and in quarantine
  /// until a checkpoint or a failed attempt shows that its worker survived. It is in one group with
  /// the other crash-suspected runs that this worker held. When the worker that tries a group dies,
  /// the members that it held are halved, in the order of their identifiers, into two groups. A
  /// member that was parked by a shutdown stays. A group is given when none of its members is held:
  /// first the group whose member has the fewest crashes, then the one with the oldest member. A
  /// worker gets the members that it has room for. A group of one is tried alone, and given by
  /// ``ClaimRequest/Quarantine/alone(after:)`` only. A crash that follows counts as a lone one
  /// unless the same worker has claimed another run since.
  ///
  /// Paused runs are not given. A paused run whose lease has expired is ready again, with one more
  /// crash. A pause with an end is over at that time.
  ///
  /// A flow's limits apply to all workers together. A run that would exceed one is not given, and
  /// runs of a full concurrency key are skipped in favour of others. A run that is taken over after
  /// a crash already has its place. With a limit of one and no other order, the runs of a key are
  /// given in the order of their starts.
  ///
  /// Each claim reports the due schedules, to all workers; a claim does not change them.
  ///
  /// - Throws: `JournalError.newerProtocol` if the journal requires a newer version than
  ///   ``ClaimRequest/protocolVersion``; `.containsNUL` for the worker's name.
  func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim

  /// Continues a run with its next stage, or completes it.
  ///
  /// All of this is one transaction: the claim is compared with the run's sequence and fence, the
  /// caller's own writes are made, the signals are consumed, and the step is written. The run gets
  /// its next stage, with no attempts and no crashes. After ``Checkpoint/Next/stage(_:)`` the
  /// worker keeps the run, on a new lease, with the same fence and one attempt begun; otherwise the
  /// run is given back. An expired lease does not matter while no other worker has claimed the run
  /// since.
  ///
  /// After ``Checkpoint/Next/joining(_:_:)`` the run waits for the children that are started with
  /// it. Each child is an ordinary run; its parent, the parent's sequence and its place in the list
  /// identify it uniquely. It counts for its parent when it is first completed, dead or cancelled
  /// while the parent waits; later changes do not count. The parent is ready once its
  /// ``JoinPolicy`` is met, even if two last children end at the same time. It continues without
  /// its children when its time is out, or when it is retried or edited; a cancelled parent stops
  /// waiting.
  ///
  /// When a run stops waiting while some of its children are unfinished, those must be cancelled,
  /// except the detached ones. That is written in the same transaction. The next claims carry it
  /// out, some hundred children each, before they give any run.
  ///
  /// If the run, its concurrency key or its flow is paused, the run is given back at the next
  /// stage: it is ready there, without an attempt begun.
  ///
  /// - Returns: whether the run was given back because of a pause.
  /// - Throws: `JournalError.claimLost`, `.tooLarge`, `.containsNUL`, `.noTransactions`,
  ///   `.tooManyChildren`, `.tooDeep`, `.childTaken`, and the errors of a write.
  @discardableResult
  func checkpoint(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) async throws -> CheckpointReceipt

  /// Extends leases; none ends earlier than before.
  ///
  /// Only the fence is compared, so that a renewal and a checkpoint of the same worker may overlap.
  ///
  /// - Returns: the lost claims; their workers stop.
  func renew(
    _ claims: [RunClaim], lease: Duration, at time: JournalTime
  ) async throws -> [RunClaim]

  /// Gives a run back at its current stage, and writes ``Parking/line`` with it.
  ///
  /// - Throws: `JournalError.claimLost`; `.tooLarge` for a line.
  func park(_ parking: Parking, at time: JournalTime) async throws

  /// Sends a signal to a run, which gets it when it receives by that name, now or later.
  ///
  /// A payload that ``CodedJournal`` has encoded is not JSON: it begins with the bytes 00 46 53 01,
  /// and is stored unchanged.
  ///
  /// Signals of a name are received in the order in which the journal got them. A signal with the
  /// same identifier and name is not sent twice, even if it was consumed or the run is over: a
  /// sender may repeat. A purge that deletes the step which consumed it may forget the identifier.
  ///
  /// A signal with a ``SignalRecord/actor`` writes one audit row in the same transaction, with its
  /// identifier and name, and without its payload. A signal of an app's own code has no actor, and
  /// writes none.
  ///
  /// - Returns: whether it is new to the run.
  /// - Throws: `JournalError.noRun`, `.tooLarge`, `.notJSON`, `.containsNUL`, `.keyTooLong`,
  ///   `.notAllowed` if the run is over, and `.signalTaken` if the run has a signal of this
  ///   identifier and another name.
  @discardableResult
  func signal(
    _ id: RunID, _ signal: SignalRecord, at time: JournalTime
  ) async throws -> SignalReceipt

  /// Applies an operator's change to a run, and writes an audit row in the same transaction.
  ///
  /// The stage of an edit that ``CodedJournal`` has encoded is not JSON: it begins with the bytes
  /// 00 46 53 01, and is stored unchanged.
  ///
  /// - Parameters:
  ///   - id: names the run.
  ///   - change: the change.
  ///   - actor: the name of the person or the program that makes it; nil for none. The row is
  ///     written in any case.
  ///   - time: the time of the call.
  /// - Returns: the changed run.
  /// - Throws: `JournalError.noRun`; `.notAllowed`: only unfinished runs can be cancelled, and only
  ///   runs that are neither running nor completed can be retried or edited; for an edit
  ///   `.tooLarge`, `.notJSON` and `.hasGoneOn`; `.keyTooLong` and `.containsNUL` for the actor.
  @discardableResult
  func change(
    _ id: RunID, _ change: RunChange, by actor: String?, at time: JournalTime
  ) async throws -> RunRecord

  /// Pauses a flow, a concurrency key or a run: workers claim none of its runs until the pause
  /// ends.
  ///
  /// A stage in progress continues to its checkpoint; then the run is given back. Pausing again
  /// sets another end. A run loses its own pause once it is over. After the first pause, the
  /// journal requires workers that know pauses.
  ///
  /// - Parameters:
  ///   - target: the flow, key or run to pause.
  ///   - date: when the pause ends by itself, by the wall clock; nil until it is resumed.
  ///   - actor: the name of the person or the program that pauses it, for the audit row.
  ///   - time: the time of the call.
  /// - Throws: `JournalError.noRun`, `.containsNUL`, `.keyTooLong`, and `.notAllowed` if the run is
  ///   over.
  func pause(
    _ target: PauseTarget, until date: Date?, by actor: String?, at time: JournalTime
  ) async throws

  /// Ends a pause; runs that another pause covers stay paused.
  ///
  /// Resuming writes an audit row; a pause that ends at its time writes none.
  ///
  /// - Returns: true if there was such a pause.
  @discardableResult
  func resume(_ target: PauseTarget, by actor: String?, at time: JournalTime) async throws -> Bool

  /// The pauses: those of flows, then of keys, then of runs, each sorted by name.
  func pauses() async throws -> [JournalPause]

  /// Sets the limits of a flow, which the claims of all workers apply from then on.
  ///
  /// Runs that have already begun count as before. A journal with limits requires workers that know
  /// them.
  ///
  /// - Parameters:
  ///   - limits: the new limits; nil for none.
  ///   - flow: the name of the flow.
  ///   - replacing: whether existing limits are replaced; otherwise they stay.
  ///   - actor: the name of the person or the program that sets them, for the audit row; nil for a
  ///     runner that declares its own, which writes no row.
  ///   - time: the time of the call.
  /// - Returns: the effective limits.
  /// - Throws: `JournalError.containsNUL`.
  @discardableResult
  func setLimits(
    _ limits: FlowLimits?, of flow: String, replacing: Bool, by actor: String?,
    at time: JournalTime
  ) async throws -> FlowLimits?

  /// The limits of all flows that have any.
  func flowLimits() async throws -> [String: FlowLimits]

  /// The schedules, sorted by the bytes of their names; none in a journal without this requirement.
  func schedules() async throws -> [ScheduleRecord]

  /// Sets, changes or removes a schedule, and starts runs with it.
  ///
  /// This is one transaction: the stored record is compared with the old one, its definition and
  /// its progress byte by byte. The new one replaces it, and the runs are started as by
  /// ``start(_:at:)-(RunStart,_)``. Once the schedule is due, claims of any worker report it.
  ///
  /// - Parameters:
  ///   - name: names the schedule.
  ///   - old: the record that the caller has read; nil if there must be none.
  ///   - new: the record to store; nil to remove it.
  ///   - starts: the runs to start with it.
  ///   - actor: the name of the person or the program that sets it, for the audit row; nil for a
  ///     runner's own tick, which writes no row.
  ///   - time: the time of the call.
  /// - Returns: false if the stored record differs from the old one; then nothing was changed or
  ///   started.
  /// - Throws: `JournalError.tooLarge`, `.keyTooLong`, `.containsNUL`, the errors of
  ///   ``start(_:at:)-(RunStart,_)``, and `.noSchedules` from a journal without this requirement.
  func setSchedule(
    _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart],
    by actor: String?, at time: JournalTime
  ) async throws -> Bool

  /// A page of the changes by persons and programs, newest first.
  ///
  /// A journal without this requirement has none. Each row was written in the transaction of its
  /// change. Only ``purge(_:at:)`` removes rows.
  func audit(_ query: AuditQuery) async throws -> AuditPage

  /// The slots of runs that the journal owns.
  ///
  /// Nil if it owns all of them, because it belongs to no set of journals or has no such record.
  func slots() async throws -> JournalSlots?

  /// Sets the slots that the journal owns.
  ///
  /// This is one transaction: the stored record is compared with the old one, and the new one
  /// replaces it. From then on the start of a run of another slot fails with
  /// `JournalError.foreignSlot`, alone, with a checkpoint or with a schedule. So no claim ever
  /// gives such a run.
  ///
  /// - Parameters:
  ///   - old: the record that the caller has read; nil if there must be none.
  ///   - new: the record to store.
  /// - Returns: false if the stored record differs from the old one; then nothing was changed.
  /// - Throws: `JournalError.foreignSlot` if the journal has a run of a slot that it would not own,
  ///   and `.noSlots` from a journal without this requirement.
  /// - Complexity: O(n) in the number of runs.
  func setSlots(from old: JournalSlots?, to new: JournalSlots) async throws -> Bool

  /// The run's current record; nil if there is none.
  func run(_ id: RunID) async throws -> RunRecord?

  /// The run with further data that explains why it waits; nil if there is none.
  func standing(of id: RunID) async throws -> RunStanding?

  /// A page of the runs that match a query, in its order.
  ///
  /// Runs may be added, removed and changed between two pages. A run that exists all the time and
  /// keeps its place is on exactly one page.
  func runs(_ query: RunQuery) async throws -> RunPage

  /// Counts the runs that match a query, regardless of its order, place and limit.
  ///
  /// A journal without this requirement reads page by page.
  ///
  /// - Parameters:
  ///   - query: which runs.
  ///   - limit: how far it counts; less than 0 counts as 0.
  func count(_ query: RunQuery, atMost limit: Int) async throws -> RunCount

  /// Groups the dead and blocked runs by the fingerprints of their errors, largest group first.
  ///
  /// The runs of a thousand fingerprints at most are counted. A journal without this requirement
  /// reads the youngest ten thousand dead and blocked runs.
  ///
  /// - Parameter limit: the largest number of groups.
  func errorGroups(atMost limit: Int) async throws -> [ErrorGroup]

  /// A page of a run's past steps, oldest first.
  ///
  /// - Parameters:
  ///   - id: names the run; an unknown run has no steps.
  ///   - sequence: the last of the previous page; nil for the first page.
  ///   - limit: the largest number, from 1 to 1,000; other numbers are clamped.
  func steps(of id: RunID, after sequence: Int?, limit: Int) async throws -> StepPage

  /// A page of the children of a run, in the order of their places.
  ///
  /// - Parameters:
  ///   - id: names the parent; an unknown run has no children.
  ///   - sequence: the number of the stage that started them; nil for those of all stages.
  ///   - place: the last of the previous page; nil for the first page.
  ///   - limit: the largest number, from 1 to 1,000; other numbers are clamped.
  func children(
    of id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int
  ) async throws -> ChildPage

  /// The runs that have changed since a mark of an earlier call.
  ///
  /// The answer contains every run that has reached another stage, was edited, or became completed,
  /// dead, blocked or cancelled since; it may contain others. It wakes waiting handles: one call
  /// serves them all. A journal without this requirement reports that any run may have changed.
  ///
  /// - Parameter mark: the mark of the previous answer; nil to get a first mark and no runs. After
  ///   the mark of another journal, any run may have changed.
  func changes(since mark: JournalMark?) async throws -> JournalChanges

  /// Stores the reports of many runs' stages in one transaction.
  ///
  /// Reports under another fence than the run's are skipped, because the claim was lost; only lines of
  /// the runner under an earlier fence are stored, which say that a worker was refused. (The
  /// package's journals also store what a worker had yet to write when it gave the run back.) Reports
  /// of an unknown run are skipped, too. A line whose place is taken already exists: a writer may
  /// repeat. The newest ``PayloadLimits/logLines`` lines of each run and its last progress are stored until
  /// the run is purged. The run itself is not changed, but ``changes(since:)`` reports it. A
  /// journal without this requirement stores nothing.
  ///
  /// - Throws: `JournalError.tooLarge`.
  func write(_ reports: [RunReportWrite], at time: JournalTime) async throws

  /// The reports of a run's stages: its progress, and the stored log lines.
  ///
  /// - Parameters:
  ///   - id: names the run; an unknown run has no reports.
  ///   - place: the last known line; nil for all lines, a thousand at most.
  func report(of id: RunID, after place: RunLogLine.Place?) async throws -> RunReport

  /// Stores a worker's announcement, or removes its record.
  ///
  /// The journal sets ``WorkerRecord/lastSeenAt`` to the current time. Records that are older than
  /// a day are removed. A journal without this requirement stores nothing.
  ///
  /// - Parameters:
  ///   - name: names the worker.
  ///   - record: the announcement; nil when the worker has ended.
  ///   - time: the time of the call.
  /// - Throws: `JournalError.keyTooLong`, `.containsNUL`.
  func setWorker(
    _ name: String, to record: WorkerRecord?, at time: JournalTime
  ) async throws

  /// The announced workers, sorted by the bytes of their names.
  ///
  /// They include workers that have died since; see ``WorkerRecord/isSilent(at:)``.
  func workers() async throws -> [WorkerRecord]

  /// Deletes finished runs that are older than the retention.
  ///
  /// A child stays while its parent waits for it, or is at the stage that reads its outcome. Audit
  /// rows are deleted by ``JournalRetention/audit``.
  ///
  /// - Returns: the number of deleted runs.
  @discardableResult
  func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int

  /// Deletes a run that is over, with all its data, and writes an audit row with its end.
  ///
  /// The oldest steps of a run with very many are deleted in earlier transactions.
  ///
  /// - Throws: `JournalError.noRun`; `.notAllowed` for an unfinished run, and for a child that its
  ///   parent waits for or reads; `.keyTooLong` and `.containsNUL` for the actor.
  func purge(_ id: RunID, by actor: String?, at time: JournalTime) async throws
}
