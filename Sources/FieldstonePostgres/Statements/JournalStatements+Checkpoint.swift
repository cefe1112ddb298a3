#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  /// A checkpoint with the clocks at its request.
  struct TimedCheckpoint: Sendable {
    var checkpoint: Checkpoint
    var time: JournalTime
  }

  extension JournalStatements {
    /// Writes many runs' checkpoints in one statement; in a transaction if other statements must
    /// follow.
    ///
    /// - Returns: the receipts of the written checkpoints, by their places; all other claims are
    ///   lost.
    func checkpoints(_ batch: [TimedCheckpoint]) throws -> [Int: CheckpointReceipt] {
      // Sorted by run, so that two batches can't deadlock.
      let order = batch.indices.sorted { left, right in
        let (a, b) = (batch[left].checkpoint.claim.id, batch[right].checkpoint.claim.id)
        return a == b ? left < right : a < b
      }
      let needsMore = batch.contains { $0.checkpoint.needsMoreStatements }
      guard needsMore, !session.isInTransaction else { return try perform(batch, in: order) }
      return try session.transaction { try perform(batch, in: order) }
    }

    /// Locks the runs of checkpoints, and the parents of those that end, as far as no other
    /// transaction has locked them.
    ///
    /// - Returns: for each checkpoint, whether all that it changes is locked now.
    func lockFree(_ batch: [TimedCheckpoint]) throws -> [Bool] {
      let checkpoints = batch.map(\.checkpoint)
      let ends = checkpoints.filter { $0.next.isCompletion && $0.isChild != false }
      // It waits for no lock, so the order of the runs does not matter.
      let free = try rows(
        """
        WITH r AS MATERIALIZED (SELECT id, parent FROM run WHERE id = ANY ($1) \
        FOR NO KEY UPDATE SKIP LOCKED), \
        p AS MATERIALIZED (SELECT id FROM run \
        WHERE id = ANY (ARRAY(SELECT parent FROM r WHERE id = ANY ($2))) \
        FOR NO KEY UPDATE SKIP LOCKED) \
        SELECT id FROM r WHERE id <> ALL ($2) OR parent IS NULL OR parent IN (SELECT id FROM p)
        """,
        [.identifiers(checkpoints.map(\.claim.id)), .identifiers(ends.map(\.claim.id))])
      let identifiers = Set(try free.map { try $0.identifier(0) })
      return checkpoints.map { identifiers.contains($0.claim.id) }
    }

    private func perform(
      _ batch: [TimedCheckpoint], in order: [Int]
    ) throws -> [Int: CheckpointReceipt] {
      var made: [Int: CheckpointReceipt] = [:]
      var ends: [ChildEnd] = []
      let isPlain = batch.allSatisfy { $0.checkpoint.next.isStage }
      let answer =
        if isPlain, batch.count == 1 {
          try rows(Self.goOnToStage, parameters(of: batch[0]))
        } else {
          try rows(
            isPlain ? Self.goOnToStages : Self.goOn, parameters(batch, order, isPlain: isPlain))
        }
      for row in answer {
        let place = try row.integer(0)
        made[place] = try row.boolean(1) ? .paused : .made
        guard let parent = row.optionalIdentifier(2) else { continue }
        ends.append(
          ChildEnd(
            child: batch[place].checkpoint.claim.id, parent: parent, sequence: try row.integer(3),
            state: .completed))
      }
      try report(ends, isWritten: true)
      let done = order.filter { made[$0] != nil }
      try consumeSignals(done.map { batch[$0].checkpoint })
      try wakeReceivers(done.map { batch[$0] })
      return made
    }

    private func parameters(
      _ batch: [TimedCheckpoint], _ order: [Int], isPlain: Bool
    ) -> [PostgresParameter] {
      let all = order.map { batch[$0] }
      let checkpoints = all.map(\.checkpoint)
      let common: [PostgresParameter] = [
        .integers(order), .identifiers(checkpoints.map(\.claim.id)),
        .integers(checkpoints.map(\.claim.sequence)), .integers(checkpoints.map(\.claim.fence)),
        .integers(checkpoints.map(\.version)), .byteStrings(checkpoints.map(\.next.payload)),
        .integers(
          all.map {
            Self.boundedMicroseconds($0.time.date.timeIntervalSince($0.checkpoint.beganAt))
          }),
        .integers(checkpoints.map { Self.boundedMicroseconds($0.lease / .seconds(1)) }), now,
      ]
      if isPlain { return common }
      return common + [
        .integers(checkpoints.map(\.next.code)), .dates(checkpoints.map(\.next.due)),
        .texts(checkpoints.map { AwaitedSignals.text($0.next.signals) }),
        .integers(checkpoints.map { $0.next.join?.policy.code }),
        .integers(checkpoints.map { $0.next.join?.children.count }),
      ]
    }

    /// The values of one run that goes on with a next stage.
    private func parameters(of one: TimedCheckpoint) -> [PostgresParameter] {
      let (checkpoint, time) = (one.checkpoint, one.time)
      return [
        .integer(0), .identifier(checkpoint.claim.id), .integer(checkpoint.claim.sequence),
        .integer(checkpoint.claim.fence), .integer(checkpoint.version),
        .bytes(checkpoint.next.payload),
        .integer(Self.boundedMicroseconds(time.date.timeIntervalSince(checkpoint.beganAt))),
        .integer(Self.boundedMicroseconds(checkpoint.lease / .seconds(1))), now,
      ]
    }

    private static let goOn = goOn(isPlain: false)
    /// The statement for runs that all go on with a next stage, as most do: it has fewer parts, which
    /// the server would prepare each time.
    private static let goOnToStages = goOn(isPlain: true)
    /// The same for one run, without arrays.
    private static let goOnToStage = goOn(isPlain: true, isOne: true)

    // `o` is the run before the update: its attempts and its worker stay the same while its
    // sequence and fence do. A duplicate request is written once, because the join takes one of
    // several rows. The server leaves out what the constants of a plain one exclude.
    private static func goOn(isPlain: Bool, isOne: Bool = false) -> String {
      let next = isPlain ? "0" : "c.next"
      let due = isPlain ? "NULL::timestamptz" : "c.due"
      let open = isPlain ? "NULL::int8" : "c.open_children"
      // Whether the run continues with its next stage and the same worker.
      let staysHere = "(\(next) = 0 AND r.gate = 0)"
      let (arrays, columns) =
        isPlain
        ? ("", "")
        : (
          ", $10::int8[], $11::timestamptz[], $12::text[], $13::int8[], $14::int8[]",
          ", next, due, awaited, join_policy, open_children"
        )
      let pauses =
        isPlain ? "" : ", d AS (\(deletePauses(of: "SELECT id::text FROM u WHERE had_pause")))"
      let given =
        isOne
        ? """
        (SELECT $1::int8, $2::uuid, $3::int8, $4::int8, $5::int8, $6::bytea, $7::int8, $8::int8)
        """
        : """
        unnest($1::int8[], $2::uuid[], $3::int8[], $4::int8[], $5::int8[], $6::bytea[], \
        $7::int8[], $8::int8[]\(arrays))
        """
      return """
        \(ClockSQL.with(9)), c AS MATERIALIZED (SELECT c.*, clock.now, \
        clock.now - \(ClockSQL.microseconds("c.took")) AS began_at, \
        clock.now + \(ClockSQL.microseconds("c.lease")) AS lease_end \
        FROM \(given) AS c(place, id, sequence, fence, version, payload, took, lease\(columns)) \
        CROSS JOIN clock), \
        u AS (UPDATE run r SET sequence = r.sequence + 1, version = c.version, \
        state = CASE WHEN \(staysHere) THEN 1 WHEN \(next) = 3 THEN 2 ELSE 0 END, \
        attempts = CASE WHEN \(staysHere) THEN 1 ELSE 0 END, crashes = 0, lone_crashes = 0, \
        is_alone = false, quarantine = NULL, changed_at = c.now, due_at = \(due), \
        waits = CASE WHEN \(due) IS NULL THEN 0 WHEN r.priority = 0 THEN 1 ELSE 2 END, \
        wakes_at = CASE WHEN \(staysHere) THEN r.wakes_at ELSE COALESCE(\(due), \
        c.now - r.priority * interval '\(secondsPerPriority) s') END, \
        over_at = CASE \(next) WHEN 3 THEN c.now END, \
        awaited = \(isPlain ? "NULL" : "c.awaited"), \
        worker = CASE WHEN \(staysHere) THEN r.worker END, \
        lease_end = CASE WHEN \(staysHere) THEN c.lease_end END, \
        check_at = CASE WHEN \(staysHere) THEN LEAST(r.check_at, c.lease_end) END, error = NULL, \
        join_sequence = CASE \(next) WHEN 4 THEN r.sequence END, \
        join_policy = CASE WHEN \(open) > 0 THEN \(isPlain ? "NULL::int8" : "c.join_policy") END, \
        open_children = \(open), \
        joined = CASE WHEN \(next) = 3 AND r.joined IS NULL AND r.parent IS NOT NULL \
        AND EXISTS (SELECT 1 FROM run p WHERE p.id = r.parent \
        AND p.join_sequence = r.parent_sequence AND p.join_policy IS NOT NULL) THEN 2 \
        ELSE r.joined END \
        FROM c JOIN run o ON o.id = c.id AND o.sequence = c.sequence AND o.fence = c.fence \
        WHERE r.id = c.id AND r.sequence = c.sequence AND r.fence = c.fence \
        AND r.\(RunColumns.unindexedState) = 1 \
        RETURNING c.place, r.id, r.sequence, r.version, r.fence, o.attempts + o.crashes AS attempts, \
        c.began_at, c.now, o.worker, o.error, c.payload, \(next) = 0 AND r.state = 0 AS is_paused, \
        \(next) = 3 AND r.gate & \(RunGate.run) > 0 AS had_pause, r.parent_sequence, \
        CASE WHEN \(next) = 3 AND r.joined = 2 THEN r.parent END AS parent), \
        s AS (INSERT INTO step (run, sequence, version, kind, fence, attempts, began_at, ended_at, \
        worker, error, payload) SELECT id, sequence, version, 0, fence, attempts, began_at, now, \
        worker, error, payload FROM u)\(pauses) \
        SELECT place, is_paused, parent, parent_sequence FROM u
        """
    }

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

    /// Wakes the runs whose signals have already arrived.
    ///
    /// It is a statement after the update of the runs. A sender locks the run first, so that either
    /// this statement sees the signal, or the sender finds the run waiting.
    private func wakeReceivers(_ batch: [TimedCheckpoint]) throws {
      let receivers = batch.filter { !$0.checkpoint.next.signals.isEmpty }
      guard !receivers.isEmpty else { return }
      try execute(
        """
        \(ClockSQL.with(2)) \
        UPDATE run r SET \(RunColumns.waiting(for: "NULL::timestamptz", now: ClockSQL.now)) \
        WHERE r.id = ANY ($1) AND \(SignalSQL.isThere(for: "r"))
        """,
        [.identifiers(receivers.map(\.checkpoint.claim.id)), now])
    }
  }

  extension Checkpoint {
    fileprivate var needsMoreStatements: Bool {
      !consumedSignals.isEmpty || !next.signals.isEmpty || (next.isCompletion && isChild != false)
    }
  }

  extension Checkpoint.Next {
    fileprivate var code: Int {
      switch self {
      case .stage: 0
      case .waiting: 1
      case .receiving: 2
      case .completion: 3
      case .joining: 4
      }
    }

    fileprivate var isStage: Bool { if case .stage = self { true } else { false } }

    fileprivate var due: Date? {
      switch self {
      case .stage, .completion: nil
      case .waiting(_, let date): date
      case .receiving(_, _, let date): date ?? .distantFuture
      case .joining(_, let join): join.dueAt
      }
    }

    fileprivate var join: Checkpoint.Join? {
      if case .joining(_, let join) = self { join } else { nil }
    }

    fileprivate var signals: [String] {
      if case .receiving(_, let names, _) = self { names } else { [] }
    }
  }
#endif
