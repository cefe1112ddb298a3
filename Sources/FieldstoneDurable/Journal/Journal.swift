public import Foundation

/// Where runs are kept: each with its stage, its place in the chain, and the steps behind it.
///
/// A journal keeps this promise, which the conformance suite of FieldstoneTesting examines: *once
/// a checkpoint returns, it is never undone, skipped or overwritten: each run's journal is an
/// unbroken chain 0…n, each link written by the lease holder of its time.* Every requirement is one
/// transaction: it happens wholly or, when it throws, not at all. What is due and which leases are
/// over, ``clock`` decides: no requirement reads another one.
///
/// Requirements throw ``JournalError``.
public protocol Journal: Sendable {
  /// How long keys and how large payloads may be: the one place where that is set.
  ///
  /// The limits by default unless a journal has others. Runners warn and refuse by them before they
  /// write.
  var limits: PayloadLimits { get }

  /// Whose clock decides about waits and leases; the caller's unless a journal has another.
  var clock: JournalClock { get }

  /// Puts a new run into the journal.
  ///
  /// - Returns: the run; where there is one of this flow and key already, or of this identifier,
  ///   that one, unchanged, in whatever state it is.
  /// - Throws: `JournalError.tooLarge`, `.keyTooLong`, `.containsNUL`.
  func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord

  /// Puts many new runs into the journal, in the order given, as if each had come alone.
  ///
  /// They are written in transactions of bounded size; what was written before an error stays. A start
  /// that fails alone fails alone. When the journal can't be used any more, the rest is not tried. A
  /// journal without this requirement starts one after the other.
  ///
  /// - Returns: an answer to each start, at its place: what ``start(_:at:)-(RunStart,_)`` returns or
  ///   throws.
  /// - Complexity: O(n) in the number of starts.
  func start(
    _ starts: [RunStart], at time: JournalTime
  ) async -> [Result<RunRecord, any Error>]

  /// Gives runs to a worker.
  ///
  /// Taken are those of the flows and versions asked for that are ready and due, that await a
  /// signal which is there or whose time is out, or that are running while their lease is over:
  /// by the journal's clock, by the boot, or because the worker is known to be dead. Each gets a fence one
  /// higher. One that is taken over has a crash more behind it; any other has begun an attempt more.
  /// Those taken over come first, then those longest due.
  ///
  /// A ready run without a time to wait for is due whatever the wall clock says. A signal that is
  /// there is given, also after the time-out; it is given again to each attempt until a checkpoint
  /// consumes it. When there is none at the claim, the run awaits none from then on. A run that was
  /// parked for another attempt waits for its time, though its signal is there. It is due at once when
  /// the wall clock is set back to a time before it was parked.
  ///
  /// A run that is taken over with as many crashes at its stage as ``ClaimRequest/quarantine`` names,
  /// that one counted in, is a *crash-suspected run*. It is ready again, and in quarantine until a
  /// checkpoint or a failed attempt shows that its worker lived: in one group with the others that
  /// this worker had. The members of a group that a worker had at its next death are halved, in the
  /// order of their identifiers, into two groups; a member that was parked by a shutdown stays. A
  /// group is given when none of its members is held: that with the fewest crashes of a member, of
  /// these the one with the oldest. A worker gets the members that it has room for. A group of one is
  /// tried alone: it is given by ``ClaimRequest/Quarantine/alone(after:)`` only, and the crash that
  /// follows counts as a lone one unless the same worker has claimed another run since.
  ///
  /// What is paused is not given. A paused run whose lease is over is ready again, with a crash more
  /// behind it. A pause that ends by itself has ended when its time has come.
  ///
  /// A flow's limits hold for all workers together: what would pass one is not given, and those of a
  /// full concurrency key are passed over for others. What is taken over after a crash has its place
  /// already. With a limit of one and nothing else to order them, the runs of a key are given in the
  /// order of starting.
  ///
  /// Schedules that are due are told with each claim, to all workers; a claim does not change them.
  ///
  /// - Throws: `JournalError.newerProtocol` where the journal demands more of its workers than
  ///   ``ClaimRequest/protocolVersion``.
  func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim

  /// Goes on to the next stage, or to the completion.
  ///
  /// In one transaction: the claim is compared with the run's sequence and fence, the caller's own
  /// writes are made, the signals are consumed, the step is written, and the run gets its next
  /// stage, with no attempts and no crashes behind it. After ``Checkpoint/Next/stage(_:)`` the run stays with the
  /// worker, on a new lease, with the same fence and one attempt begun; otherwise it is given back.
  /// An expired lease is no obstacle while no other worker has claimed the run since.
  ///
  /// After ``Checkpoint/Next/joining(_:_:)`` the run waits for the children that are started with it.
  /// Each is a run like others; with its parent, the parent's sequence and its place in the list it is
  /// there once. It counts for its parent when it is completed, dead or cancelled for the first time,
  /// while the parent waits; what becomes of it later does not. The parent is ready once its
  /// ``JoinPolicy`` is met, also when two last children end at once. It goes on without its children
  /// when its time is out, when it is retried or edited; a cancelled one waits no longer.
  ///
  /// When a run waits no longer and some of its children have not ended, they are to be cancelled, but
  /// for the detached ones. That is written in the same transaction, and carried out by the next
  /// claims, some hundred children each, before they give anything.
  ///
  /// Where the run, its concurrency key or its flow is paused, the run is given back at the next stage:
  /// it is ready there, without an attempt begun.
  ///
  /// - Returns: whether the run was given back for a pause.
  /// - Throws: `JournalError.claimLost`, `.tooLarge`, `.containsNUL`, `.noTransactions`,
  ///   `.tooManyChildren`, `.tooDeep`, `.childTaken`, and what a write throws.
  @discardableResult
  func checkpoint(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) async throws -> CheckpointReceipt

  /// Prolongs leases; none ends earlier than it would have.
  ///
  /// The fence alone is compared, so that a renewal and a checkpoint of the same worker may pass each
  /// other.
  ///
  /// - Returns: the claims that are lost; their workers stop.
  func renew(
    _ claims: [RunClaim], lease: Duration, at time: JournalTime
  ) async throws -> [RunClaim]

  /// Gives a run back without a step forward.
  ///
  /// - Throws: `JournalError.claimLost`.
  func park(_ parking: Parking, at time: JournalTime) async throws

  /// Sends a signal to a run, which gets it when it receives by that name, now or later.
  ///
  /// Signals of a name are received in the order in which the journal got them. One that was sent
  /// before under the same identifier and name is not sent again, also when it was consumed since,
  /// and also when the run is over by now: a sender may repeat.
  ///
  /// - Returns: whether it is new to the run.
  /// - Throws: `JournalError.noRun`, `.tooLarge`, `.notJSON`, `.containsNUL`, `.keyTooLong`, `.notAllowed`
  ///   when the run is over, and `.signalTaken` when the run has a signal of this identifier and another name.
  @discardableResult
  func signal(
    _ id: RunID, _ signal: SignalRecord, at time: JournalTime
  ) async throws -> SignalReceipt

  /// Does to a run what a person wants.
  ///
  /// - Returns: the run as it is then.
  /// - Throws: `JournalError.noRun`; `.notAllowed`: only what is not over can be cancelled, only
  ///   what is not running and not completed can be retried or edited; of an edit `.tooLarge` and
  ///   `.notJSON`.
  @discardableResult
  func change(_ id: RunID, _ change: RunChange, at time: JournalTime) async throws -> RunRecord

  /// Pauses a flow, a concurrency key or a run: none of the runs concerned is given to a worker until
  /// the pause has ended.
  ///
  /// A stage that is under way goes on to its checkpoint; then the run is given back. Pausing again
  /// sets another end. A run loses its own pause once it is over. From then on the journal demands
  /// workers that know pauses.
  ///
  /// - Parameters:
  ///   - target: what is paused.
  ///   - date: when it ends by itself, by the wall clock; nil for when somebody resumes it.
  ///   - time: the time of the call.
  /// - Throws: `JournalError.noRun`, `.containsNUL`, `.keyTooLong`, and `.notAllowed` when the run is
  ///   over.
  func pause(_ target: PauseTarget, until date: Date?, at time: JournalTime) async throws

  /// Ends a pause; what another pause concerns stays paused.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  func resume(_ target: PauseTarget, at time: JournalTime) async throws -> Bool

  /// The pauses: those of flows, then those of keys and of runs, each by their names.
  func pauses() async throws -> [JournalPause]

  /// Sets the limits of a flow, which claims of all workers keep from then on.
  ///
  /// Runs that have begun by then count as they would have. A journal that has limits demands workers
  /// that know them.
  ///
  /// - Parameters:
  ///   - limits: what is to hold; nil for no limits.
  ///   - flow: the name of the flow.
  ///   - replacing: whether limits that are there are replaced; otherwise they stay.
  ///   - time: the time of the call.
  /// - Returns: the limits that hold, as they count.
  /// - Throws: `JournalError.containsNUL`.
  @discardableResult
  func setLimits(
    _ limits: FlowLimits?, of flow: String, replacing: Bool, at time: JournalTime
  ) async throws -> FlowLimits?

  /// The limits of all flows that have some.
  func flowLimits() async throws -> [String: FlowLimits]

  /// The schedules, by the bytes of their names; none in a journal without this requirement.
  func schedules() async throws -> [ScheduleRecord]

  /// Sets, changes or removes a schedule, and starts runs with it.
  ///
  /// In one transaction: the record that is kept is compared with the old one, its definition and its
  /// progress byte by byte; the new one takes its place, and the runs are started as ``start(_:at:)-(RunStart,_)``
  /// starts them. Claims of any worker tell of it once it is due.
  ///
  /// - Parameters:
  ///   - name: names the schedule.
  ///   - old: the record that the caller has read; nil when there must be none.
  ///   - new: the record that is kept from then on; nil for none.
  ///   - starts: the runs that are started with it.
  ///   - time: the time of the call.
  /// - Returns: false when another record is kept than the old one; then nothing was changed or
  ///   started.
  /// - Throws: `JournalError.tooLarge`, `.keyTooLong`, `.containsNUL`, what ``start(_:at:)-(RunStart,_)`` throws,
  ///   and `.noSchedules` from a journal without this requirement.
  func setSchedule(
    _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart],
    at time: JournalTime
  ) async throws -> Bool

  /// The run as it stands; nil when there is none.
  func run(_ id: RunID) async throws -> RunRecord?

  /// The run with what is known of it beside its record, to say why it does not go on; nil when there
  /// is none.
  func standing(of id: RunID) async throws -> RunStanding?

  /// A page of runs, the youngest first.
  func runs(_ query: RunQuery) async throws -> RunPage

  /// A page of the steps behind a run, the oldest first.
  ///
  /// - Parameters:
  ///   - id: names the run; one that is not there has no steps.
  ///   - sequence: the last of the page before; nil for the first page.
  ///   - limit: how many at most, from 1 to 1,000; other numbers count as the nearest of these.
  func steps(of id: RunID, after sequence: Int?, limit: Int) async throws -> StepPage

  /// A page of the children of a run, in the order of their places.
  ///
  /// - Parameters:
  ///   - id: names the parent; one that is not there has no children.
  ///   - sequence: the number of the stage that has started them; nil for those of all stages.
  ///   - place: the last of the page before; nil for the first page.
  ///   - limit: how many at most, from 1 to 1,000; other numbers count as the nearest of these.
  func children(
    of id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int
  ) async throws -> ChildPage

  /// The runs that have changed since a mark that an earlier call gave.
  ///
  /// In the answer is every run that has come to another stage, was edited, or has become completed,
  /// dead, blocked or cancelled since; others may be, too. Handles that wait are woken by it: one call
  /// serves them all. A journal without this requirement says that any run may have changed.
  ///
  /// - Parameter mark: where the answer before ended; nil to get a first mark and no runs.
  func changes(since mark: JournalMark?) async throws -> JournalChanges

  /// Lets go of what is over and older than the retention.
  ///
  /// A child stays while its parent waits for it, or is at the stage that reads its outcome.
  ///
  /// - Returns: how many runs went.
  @discardableResult
  func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int
}
