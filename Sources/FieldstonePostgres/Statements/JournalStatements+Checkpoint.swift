#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  /// A checkpoint and the clocks when it was asked for.
  struct TimedCheckpoint: Sendable {
    var checkpoint: Checkpoint
    var time: JournalTime
  }

  extension JournalStatements {
    /// Makes many runs' checkpoints in one statement; in a transaction where others must follow it.
    ///
    /// - Returns: the places of those that were made; the claims of all others are lost.
    func checkpoints(_ batch: [TimedCheckpoint]) throws -> Set<Int> {
      // In the order of the runs, so that two batches never wait for each other.
      let order = batch.indices.sorted { left, right in
        let (a, b) = (batch[left].checkpoint.claim.id, batch[right].checkpoint.claim.id)
        return a == b ? left < right : a < b
      }
      let needsMore = batch.contains { $0.checkpoint.needsMoreStatements }
      guard needsMore, !session.isInTransaction else { return try perform(batch, in: order) }
      return try session.transaction { try perform(batch, in: order) }
    }

    private func perform(_ batch: [TimedCheckpoint], in order: [Int]) throws -> Set<Int> {
      let made = Set(try rows(Self.goOn, parameters(batch, order)).map { try $0.integer(0) })
      let done = order.filter(made.contains)
      try consumeSignals(done.map { batch[$0].checkpoint })
      try wakeReceivers(done.map { batch[$0] })
      return made
    }

    private func parameters(_ batch: [TimedCheckpoint], _ order: [Int]) -> [PostgresParameter] {
      let all = order.map { batch[$0] }
      let checkpoints = all.map(\.checkpoint)
      return [
        .integers(order), .identifiers(checkpoints.map(\.claim.id)),
        .integers(checkpoints.map(\.claim.sequence)), .integers(checkpoints.map(\.claim.fence)),
        .integers(checkpoints.map(\.version)), .byteStrings(checkpoints.map(\.next.payload)),
        .integers(checkpoints.map(\.next.code)), .dates(checkpoints.map(\.next.due)),
        .texts(checkpoints.map(\.next.signal)), .dates(checkpoints.map(\.beganAt)),
        .dates(all.map(\.time.date)), .texts(all.map(\.time.boot)),
        .integers(all.map { Int(($0.time.uptime + $0.checkpoint.lease).stored) }),
        .dates(all.map { $0.time.date + $0.checkpoint.lease / .seconds(1) }),
      ]
    }

    // `o` is the run as it was: its attempts and its worker are the same as long as its sequence and
    // fence are. One that is asked for twice is made once: of several rows one is joined.
    private static let goOn = """
      WITH c AS MATERIALIZED (SELECT * FROM unnest($1::int8[], $2::uuid[], $3::int8[], $4::int8[], \
      $5::int8[], $6::bytea[], $7::int8[], $8::timestamptz[], $9::text[], $10::timestamptz[], \
      $11::timestamptz[], $12::text[], $13::int8[], $14::timestamptz[]) \
      AS c(place, id, sequence, fence, version, payload, next, due, awaited, began_at, now, boot, \
      lease_uptime, lease_end)), \
      u AS (UPDATE run r SET sequence = r.sequence + 1, version = c.version, \
      state = CASE c.next WHEN 0 THEN 1 WHEN 3 THEN 2 ELSE 0 END, \
      attempts = CASE c.next WHEN 0 THEN 1 ELSE 0 END, crashes = 0, lone_crashes = 0, \
      is_alone = false, quarantine = NULL, changed_at = c.now, due_at = c.due, \
      waits = CASE WHEN c.due IS NULL THEN 0 WHEN r.priority = 0 THEN 1 ELSE 2 END, \
      wakes_at = CASE c.next WHEN 0 THEN r.wakes_at ELSE COALESCE(c.due, \
      c.now - r.priority * interval '\(secondsPerPriority) s') END, \
      over_at = CASE c.next WHEN 3 THEN c.now END, awaited = c.awaited, \
      worker = CASE c.next WHEN 0 THEN r.worker END, boot = CASE c.next WHEN 0 THEN c.boot END, \
      lease_uptime = CASE c.next WHEN 0 THEN c.lease_uptime END, \
      lease_end = CASE c.next WHEN 0 THEN c.lease_end END, \
      check_uptime = CASE WHEN c.next <> 0 THEN NULL \
      WHEN r.boot = c.boot THEN LEAST(r.check_uptime, c.lease_uptime) ELSE c.lease_uptime END, \
      check_at = CASE c.next WHEN 0 THEN LEAST(r.check_at, c.lease_end) END, error = NULL \
      FROM c JOIN run o ON o.id = c.id AND o.sequence = c.sequence AND o.fence = c.fence \
      WHERE r.id = c.id AND r.sequence = c.sequence AND r.fence = c.fence AND r.state = 1 \
      RETURNING c.place, r.id, r.sequence, r.version, r.fence, o.attempts + o.crashes AS attempts, \
      c.began_at, c.now, o.worker, o.error, c.payload), \
      s AS (INSERT INTO step (run, sequence, version, kind, fence, attempts, began_at, ended_at, \
      worker, error, payload) SELECT id, sequence, version, 0, fence, attempts, began_at, now, \
      worker, error, payload FROM u) \
      SELECT place FROM u
      """

    private func consumeSignals(_ checkpoints: [Checkpoint]) throws {
      var runs: [RunID] = []
      var (signals, sequences): ([String], [Int]) = ([], [])
      for checkpoint in checkpoints {
        for signal in checkpoint.consumedSignals {
          runs.append(checkpoint.claim.id)
          signals.append(signal)
          sequences.append(checkpoint.claim.sequence)
        }
      }
      guard !runs.isEmpty else { return }
      try execute(
        """
        UPDATE signal g SET consumed_by = c.sequence, payload = '' \
        FROM unnest($1::uuid[], $2::text[], $3::int8[]) AS c(run, id, sequence) \
        WHERE g.run = c.run AND g.id = c.id
        """, [.identifiers(runs), .texts(signals), .integers(sequences)])
    }

    /// Wakes the runs whose signals are there already.
    ///
    /// By a statement after the one that has changed the runs: who sends a signal locks the run first,
    /// so that it is either seen here or finds the run waiting.
    private func wakeReceivers(_ batch: [TimedCheckpoint]) throws {
      let receivers = batch.filter { $0.checkpoint.next.signal != nil }
      guard !receivers.isEmpty else { return }
      try execute(
        """
        UPDATE run r SET \(RunColumns.waiting(for: "NULL::timestamptz", now: "c.now")) \
        FROM unnest($1::uuid[], $2::timestamptz[]) AS c(id, now) \
        WHERE r.id = c.id AND EXISTS (SELECT 1 FROM signal g \
        WHERE g.run = r.id AND g.name = r.awaited AND g.consumed_by IS NULL)
        """,
        [.identifiers(receivers.map(\.checkpoint.claim.id)), .dates(receivers.map(\.time.date))])
    }
  }

  extension Checkpoint {
    fileprivate var needsMoreStatements: Bool { !consumedSignals.isEmpty || next.signal != nil }
  }

  extension Checkpoint.Next {
    fileprivate var code: Int {
      switch self {
      case .stage: 0
      case .waiting: 1
      case .receiving: 2
      case .completion: 3
      }
    }

    fileprivate var due: Date? {
      switch self {
      case .stage, .completion: nil
      case .waiting(_, let date): date
      case .receiving(_, _, let date): date ?? .distantFuture
      }
    }

    fileprivate var signal: String? {
      if case .receiving(_, let name, _) = self { name } else { nil }
    }
  }
#endif
