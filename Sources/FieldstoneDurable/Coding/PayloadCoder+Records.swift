import Foundation

// Encodes records for a journal. The journal itself checks names, which stay plain.
extension PayloadCoder {
  /// Encodes a start for the run that takes its stage; by default its own run.
  package func encode(_ start: RunStart, for run: RunID? = nil) throws -> RunStart {
    var start = start
    start.payload = try encode(start.payload, for: .stage(run ?? start.id, 0))
    return start
  }

  /// Encodes starts of a transaction.
  ///
  /// - Throws: `PayloadError.replacesInTransaction`.
  func encode(inTransaction starts: [RunStart]) throws -> [RunStart] {
    try starts.map { start in
      if start.mayReplace { throw PayloadError.replacesInTransaction(start.id) }
      return try encode(start)
    }
  }

  package func encode(_ signal: SignalRecord, to run: RunID) throws -> SignalRecord {
    try limits.checkJSON(signal.payload)
    var signal = signal
    signal.payload = try encode(signal.payload, for: .signal(signal, to: run))
    return signal
  }

  func encode(_ checkpoint: Checkpoint) throws -> Checkpoint {
    try limits.checkPayloads(of: checkpoint)
    let claim = checkpoint.claim
    var checkpoint = checkpoint
    checkpoint.next = try encode(checkpoint.next, of: claim.id, at: claim.sequence + 1)
    checkpoint.starts = try encode(inTransaction: checkpoint.starts)
    checkpoint.signals = try checkpoint.signals.map {
      Checkpoint.Signal(to: $0.run, try encode($0.signal, to: $0.run))
    }
    return checkpoint
  }

  private func encode(
    _ next: Checkpoint.Next, of run: RunID, at sequence: Int
  ) throws -> Checkpoint.Next {
    let context = next.isCompletion ? PayloadContext.completion(run) : .stage(run, sequence)
    let payload = try encode(next.payload, for: context)
    switch next {
    case .stage: return .stage(payload)
    case .waiting(_, let date): return .waiting(payload, until: date)
    case .receiving(_, let names, let date):
      return .receiving(payload, signals: names, until: date)
    case .joining(_, var join):
      join.children = try join.children.map {
        ChildStart(try encode($0.start), isDetached: $0.isDetached)
      }
      return .joining(payload, join)
    case .completion: return .completion(payload)
    }
  }

  func encode(_ parking: Parking) -> Parking {
    func coded(_ text: String) -> String {
      encode(error: text, of: parking.claim.id, at: parking.claim.sequence)
    }
    var parking = parking
    parking.line = parking.report.map { encode($0).lines[0] }
    // Runs are found by the fingerprint of the plain error text.
    parking.encodedFingerprint = parking.fingerprint
    switch parking.reason {
    case .shutdown: break
    case .retry(let date, let error): parking.reason = .retry(at: date, error: coded(error))
    case .dead(let error): parking.reason = .dead(error: coded(error))
    case .exhausted(let error): parking.reason = .exhausted(error: coded(error))
    case .blocked(let error): parking.reason = .blocked(error: coded(error))
    }
    return parking
  }

  /// The definition contains a stage; the progress contains only times and stays plain.
  func encode(_ schedule: ScheduleRecord) throws -> ScheduleRecord {
    var schedule = schedule
    schedule.definition = try encode(schedule.definition, for: .schedule(schedule.name))
    return schedule
  }
}

// Decodes the records of a journal.
extension PayloadCoder {
  package func decode(_ record: RunRecord) -> RunRecord {
    var record = record
    let context =
      record.state == .completed
      ? PayloadContext.completion(record.id) : .stage(record.id, record.sequence)
    record.payload = decode(record.payload, for: context)
    record.error = decode(error: record.error, of: record.id, at: record.sequence)
    return record
  }

  func decode(_ step: StepRecord, of run: RunID) -> StepRecord {
    var step = step
    step.payload = decode(step.payload, for: .stage(run, step.sequence))
    step.error = decode(error: step.error, of: run, at: step.sequence)
    return step
  }

  func decode(_ signal: SignalRecord, to run: RunID) -> SignalRecord {
    var signal = signal
    signal.payload = decode(signal.payload, for: .signal(signal, to: run))
    return signal
  }

  func decode(_ child: ChildRecord) -> ChildRecord {
    var child = child
    child.completion = child.completion.map { decode($0, for: .completion(child.id)) }
    child.error = decode(error: child.error, of: child.id, at: nil)
    return child
  }

  func decode(_ row: AuditRecord) -> AuditRecord {
    guard case .run(let run) = row.subject, row.action == .edit else { return row }
    var row = row
    row.before = row.before.map { decode(audited: $0, of: run) }
    row.after = row.after.map { decode(audited: $0, of: run) }
    return row
  }

  /// Decodes the stage in a value of an audit row, which has its sequence beside it.
  private func decode(audited value: Data, of run: RunID) -> Data {
    struct Row: Decodable {
      struct Stage: Decodable {
        var base64: String
        var bytes: Int
      }
      var sequence: Int
      var stage: Stage
      var state: RunState
      var version: Int
    }
    guard let row = try? JSONDecoder().decode(Row.self, from: value),
      let payload = Data(base64Encoded: row.stage.base64), payload.count == row.stage.bytes
    else { return value }
    let stage = decode(payload, for: .stage(run, row.sequence))
    return AuditEntry.value(
      ofRunAt: row.sequence, stage: stage, in: row.state, version: row.version)
  }

  func decode(_ group: ErrorGroup) -> ErrorGroup {
    var group = group
    group.sample = decode(error: group.sample, of: group.youngest, at: nil) ?? group.sample
    return group
  }

  func decode(_ schedule: ScheduleRecord) -> ScheduleRecord {
    var schedule = schedule
    schedule.definition = decode(schedule.definition, for: .schedule(schedule.name))
    return schedule
  }

  func decode(_ claim: Claim) -> Claim {
    var claim = claim
    claim.runs = claim.runs.map { run in
      var run = run
      run.signal = run.signal.map { decode($0, to: run.record.id) }
      run.record = decode(run.record)
      return run
    }
    if var schedules = claim.schedules {
      schedules.due = schedules.due.map { decode($0) }
      claim.schedules = schedules
    }
    return claim
  }
}
