import Foundation

/// A journal that stores its payloads encoded in another journal: encrypted, compressed, or both.
///
/// ```swift
/// let journal = CodedJournal(try SQLiteJournal(path: path), codec: Vault(keys))
/// let runner = try DurableRunner(journal: journal, flows: flows)
/// ```
///
/// Stages, completions, signals, error texts, log lines and the definitions of schedules are
/// encoded. Identifiers, keys, attributes, traces, names, versions, times and the names of workers
/// stay plain, because a journal finds runs by them. So does the fingerprint of an error, a hash of
/// its text. Audit rows contain encoded stages; those above 4 KB, which are truncated, are not
/// decoded. All processes that start, signal, execute or read runs need the same codec.
///
/// Each payload is bound to its place: its run and the number of its stage. A payload that was
/// moved, or whose key is missing, does not decode. Its run is *blocked* with a ``PayloadError``,
/// and continues once it decodes. A list or a claim still contains it among others.
///
/// Limits count the bytes of plain payloads; see ``limits``.
public struct CodedJournal<Base: Journal>: Journal {
  /// The journal that stores the encoded payloads.
  public let base: Base
  package let coder: PayloadCoder

  /// Makes a journal over another journal.
  ///
  /// - Parameters:
  ///   - base: stores the encoded payloads.
  ///   - codec: encodes and decodes them.
  ///   - acceptsPlainPayloads: whether unencoded payloads are accepted, as in a journal that was
  ///     used without a codec before; false by default. Writes are always encoded. While it is
  ///     false, only holders of the key can add a payload that is accepted.
  public init(_ base: Base, codec: any PayloadCodec, acceptsPlainPayloads: Bool = false) {
    self.base = base
    coder = PayloadCoder(codec: codec, acceptsPlain: acceptsPlainPayloads, within: base.limits)
  }

  /// The limits of the underlying journal; the payload limit is reduced by the largest overhead.
  ///
  /// They count plain bytes, so whether a stage fits does not depend on the codec. The encoded
  /// bytes are within the limit of the underlying journal, too.
  public var limits: PayloadLimits { coder.limits }
}

extension CodedJournal: JournalDecorator {
  package var decorated: any Journal { base }
}

// MARK: Writes

extension CodedJournal {
  /// Encodes the stage, and adds a new run to the journal.
  ///
  /// - Throws: also ``PayloadError``.
  public func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
    guard start.mayReplace else {
      return coder.decode(try await base.start(coder.encode(start), at: time))
    }
    var start = start
    for _ in 0..<10 {
      // A stage is encoded for the run that takes it, so that run must be known first.
      let found = try await base.start(coder.encode(start.meetingOnly), at: time)
      guard found.id != start.id, found.isReplaceable else { return coder.decode(found) }
      let coded = try coder.encode(start, for: found.id)
      let record = try await base.start(coded, at: time)
      if record.id == found.id || record.payload != coded.payload { return coder.decode(record) }
      // Between the two calls another run got the key and the stage. Another start corrects it,
      // because each start replaces only once.
      start.id = RunID(at: time.date, slot: start.id.slot)
    }
    throw JournalError.unavailable("the run of a key is another one again and again")
  }

  /// Encodes the stages, and adds many new runs to the journal, in order.
  public func start(
    _ starts: [RunStart], at time: JournalTime
  ) async -> [Result<RunRecord, any Error>] {
    var answers: [Result<RunRecord, any Error>] = []
    var batch: [RunStart] = []
    func writeBatch() async {
      if let error = answers.last?.endingError {
        answers += batch.map { _ in .failure(error) }
      } else if !batch.isEmpty {
        answers += await base.start(batch, at: time).map { $0.map { coder.decode($0) } }
      }
      batch = []
    }
    for start in starts {
      do {
        if !start.mayReplace {
          batch.append(try coder.encode(start))
          continue
        }
        await writeBatch()
        if let error = answers.last?.endingError { throw error }
        answers.append(.success(try await self.start(start, at: time)))
      } catch {
        await writeBatch()
        answers.append(.failure(error))
      }
    }
    await writeBatch()
    return answers
  }

  /// Encodes the next step and the signals, and continues or completes the run.
  ///
  /// - Throws: also ``PayloadError``; `.replacesInTransaction` for a start with a key and
  ///   ``TakenKeyPolicy/replaceUnlessBegun``.
  @discardableResult
  public func checkpoint(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) async throws -> CheckpointReceipt {
    try await base.checkpoint(coder.encode(checkpoint), at: time)
  }

  /// Encodes the error text, and gives a run back at its current stage.
  public func park(_ parking: Parking, at time: JournalTime) async throws {
    try coder.limits.check(parking.report.map { [$0] } ?? [])
    try await base.park(coder.encode(parking), at: time)
  }

  /// Encodes a signal, and sends it to a run.
  ///
  /// - Throws: also ``PayloadError``.
  @discardableResult
  public func signal(
    _ id: RunID, _ signal: SignalRecord, at time: JournalTime
  ) async throws -> SignalReceipt {
    try await base.signal(id, coder.encode(signal, to: id), at: time)
  }

  /// Applies an operator's change to a run; the stage of an edit is encoded.
  ///
  /// - Throws: also ``PayloadError``.
  @discardableResult
  public func change(
    _ id: RunID, _ change: RunChange, by actor: String?, at time: JournalTime
  ) async throws -> RunRecord {
    guard case .edit(let payload, let version, let expected) = change else {
      return coder.decode(try await base.change(id, change, by: actor, at: time))
    }
    try coder.limits.checkJSON(payload)
    for _ in 0..<10 {
      // The stage is encoded for its place, so the run must not advance between the two calls.
      var sequence = expected
      if sequence == nil { sequence = try await base.run(id)?.sequence }
      guard let sequence else { throw JournalError.noRun(id) }
      let coded = try coder.encode(payload, for: .stage(id, sequence + 1))
      let edit = RunChange.edit(coded, version: version, expectedSequence: sequence)
      do {
        return coder.decode(try await base.change(id, edit, by: actor, at: time))
      } catch JournalError.hasGoneOn where expected == nil {
        continue
      }
    }
    throw JournalError.unavailable("the run changes again and again")
  }

  /// Encodes the texts of reports, and stores them.
  public func write(_ reports: [RunReportWrite], at time: JournalTime) async throws {
    try coder.limits.check(reports)
    try await base.write(reports.map { coder.encode($0) }, at: time)
  }

  /// Sets, changes or removes a schedule, and starts runs with it.
  ///
  /// A change reads the schedule first.
  ///
  /// - Throws: also ``PayloadError``; `.replacesInTransaction` for a start with a key and
  ///   ``TakenKeyPolicy/replaceUnlessBegun``.
  public func setSchedule(
    _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart],
    by actor: String?, at time: JournalTime
  ) async throws -> Bool {
    try coder.limits.check(name, new, starts)
    let coded = try coder.encode(inTransaction: starts)
    // The journal compares bytes, and each encoding of the same definition gives other bytes.
    let kept = try await old == nil ? nil : keptSchedule(name)
    if let old {
      guard let kept, coder.decode(kept).isUnchanged(from: old) else { return false }
    }
    return try await base.setSchedule(
      name, from: kept, to: new.map { try coder.encode($0) }, starting: coded, by: actor,
      at: time)
  }

  private func keptSchedule(_ name: String) async throws -> ScheduleRecord? {
    try await base.scheduleRecord(name)
  }
}

// MARK: Reads

extension CodedJournal {
  /// Claims runs for a worker, each with its decoded stage.
  public func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
    let claim = try await base.claim(request, at: time)
    guard let queue = PayloadDecoding.queue else { return coder.decode(claim) }
    if claim.runs.isEmpty, claim.schedules?.due.isEmpty ?? true { return claim }
    return await withCheckedContinuation { [coder] continuation in
      queue.async { continuation.resume(returning: coder.decode(claim)) }
    }
  }

  package func schedule(named name: String) async throws -> ScheduleRecord? {
    try await base.scheduleRecord(name).map { coder.decode($0) }
  }

  /// The schedules, sorted by the bytes of their names.
  public func schedules() async throws -> [ScheduleRecord] {
    try await base.schedules().map { coder.decode($0) }
  }

  /// The run's current record; nil if there is none.
  public func run(_ id: RunID) async throws -> RunRecord? {
    try await base.run(id).map { coder.decode($0) }
  }

  /// The run with further data that explains why it waits.
  public func standing(of id: RunID) async throws -> RunStanding? {
    var standing = try await base.standing(of: id)
    if let record = standing?.record { standing?.record = coder.decode(record) }
    return standing
  }

  /// A page of runs, youngest first.
  public func runs(_ query: RunQuery) async throws -> RunPage {
    var page = try await base.runs(query)
    page.runs = page.runs.map { coder.decode($0) }
    return page
  }

  /// Groups of the errors of dead and blocked runs, each with the text of its youngest run.
  public func errorGroups(atMost limit: Int) async throws -> [ErrorGroup] {
    try await base.errorGroups(atMost: limit).map { coder.decode($0) }
  }

  /// A page of the changes by persons and programs, with the stages of edits decoded.
  public func audit(_ query: AuditQuery) async throws -> AuditPage {
    var page = try await base.audit(query)
    page.records = page.records.map { coder.decode($0) }
    return page
  }

  /// The progress of a run and its log lines.
  public func report(of id: RunID, after place: RunLogLine.Place?) async throws -> RunReport {
    coder.decode(try await base.report(of: id, after: place), of: id)
  }

  /// A page of a run's past steps, oldest first.
  public func steps(of id: RunID, after sequence: Int?, limit: Int) async throws -> StepPage {
    var page = try await base.steps(of: id, after: sequence, limit: limit)
    page.steps = page.steps.map { coder.decode($0, of: id) }
    return page
  }

  /// A page of the children of a run, in the order of their places.
  public func children(
    of id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int
  ) async throws -> ChildPage {
    var page = try await base.children(of: id, at: sequence, after: place, limit: limit)
    page.children = page.children.map { coder.decode($0) }
    return page
  }
}

extension RunStart {
  /// Whether another run may take its stage.
  package var mayReplace: Bool { ifTaken == .replaceUnlessBegun && key != nil }

  /// The same start, but with a policy that leaves an existing run with its key unchanged.
  package var meetingOnly: Self {
    var start = self
    start.ifTaken = .existing
    return start
  }
}

extension RunRecord {
  /// Whether a start with its key may replace its first stage.
  package var isReplaceable: Bool { state == .ready && fence == 0 && sequence == 0 }
}

extension Result where Failure == any Error {
  /// The error after which a journal tries no further start.
  fileprivate var endingError: (any Error)? {
    guard case .failure(let error as JournalError) = self, error.isTransient else { return nil }
    return error
  }
}
