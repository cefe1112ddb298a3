/// Where runs are kept: each with its stage, its place in the chain, and the steps behind it.
///
/// A journal keeps this promise, which the conformance suite of FieldstoneTesting examines: *once
/// a checkpoint returns, it is never undone, skipped or overwritten: each run's journal is an
/// unbroken chain 0…n, each link written by the lease holder of its time.* Every requirement is one
/// transaction: it happens wholly or, when it throws, not at all. Waits are by wall time, leases by
/// time since boot; no requirement reads a clock of its own.
///
/// Requirements throw ``JournalError``.
public protocol Journal: Sendable {
  /// How long keys and how large payloads may be: the one place where that is set.
  ///
  /// The limits by default unless a journal has others. Runners warn and refuse by them before they
  /// write.
  var limits: PayloadLimits { get }

  /// Puts a new run into the journal.
  ///
  /// - Returns: the run; where there is one of this flow and key already, or of this identifier,
  ///   that one, unchanged, in whatever state it is.
  /// - Throws: `JournalError.tooLarge`, `.keyTooLong`, `.containsNUL`.
  func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord

  /// Gives runs to a worker.
  ///
  /// Taken are those of the flows and versions asked for that are ready and due, that await a
  /// signal which is there or whose time is out, or that are running while their lease is over:
  /// by its uptime, by the boot, or because the worker is known to be dead. Each gets a fence one
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
  func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim

  /// Goes on to the next stage, or to the completion.
  ///
  /// In one transaction: the claim is compared with the run's sequence and fence, the caller's own
  /// writes are made, the signals are consumed, the step is written, and the run gets its next
  /// stage, with no attempts and no crashes behind it. After ``Checkpoint/Next/stage(_:)`` the run stays with the
  /// worker, on a new lease, with the same fence and one attempt begun; otherwise it is given back.
  /// An expired lease is no obstacle while no other worker has claimed the run since.
  ///
  /// - Throws: `JournalError.claimLost`, `.tooLarge`, `.containsNUL`, `.noTransactions`, and what a
  ///   write throws.
  func checkpoint(_ checkpoint: Checkpoint, at time: JournalTime) async throws

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

  /// The run as it stands; nil when there is none.
  func run(_ id: RunID) async throws -> RunRecord?

  /// A page of runs, the youngest first.
  func runs(_ query: RunQuery) async throws -> RunPage

  /// A page of the steps behind a run, the oldest first.
  ///
  /// - Parameters:
  ///   - id: names the run; one that is not there has no steps.
  ///   - sequence: the last of the page before; nil for the first page.
  ///   - limit: how many at most, from 1 to 1,000; other numbers count as the nearest of these.
  func steps(of id: RunID, after sequence: Int?, limit: Int) async throws -> StepPage

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
  /// - Returns: how many runs went.
  @discardableResult
  func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int
}
