#if PostgreSQL
  import FieldstoneDurable

  extension PostgresJournal {
    /// Inserts a batch of new runs.
    ///
    /// Another transaction may keep a key locked for minutes. Then the starts go one by one, and those
    /// that need the lock come last, when the next batch may begin.
    func start(
      batch: [RunStart], at time: JournalTime
    ) async throws -> [Result<RunRecord, any Error>] {
      let inserted = try await submit(isRepeatable: true) { session in
        let statements = JournalStatements(session: session)
        return try statements.unlessLocked { try statements.insert(batch) } ?? [:]
      }
      wakeUps.tell()
      var answers = inserted.mapValues { Result<RunRecord, any Error>.success($0) }
      var locked = LockedStarts()
      for place in batch.indices where answers[place] == nil {
        let start = batch[place]
        if locked.isAhead(of: start) {
          locked.add(start, at: place)
          continue
        }
        do {
          if let record = try await startUnlessLocked(start) {
            answers[place] = .success(record)
          } else {
            locked.add(start, at: place)
          }
        } catch { answers[place] = .failure(error) }
      }
      if !locked.places.isEmpty { StartTurn.end?() }
      for place in locked.places {
        do { answers[place] = .success(try await start(batch[place], at: time)) } catch {
          answers[place] = .failure(error)
        }
      }
      return batch.indices.map { answers[$0] ?? .failure(JournalError.unanswered) }
    }

    /// - Returns: nil if another transaction keeps a lock that the start needs.
    private func startUnlessLocked(_ start: RunStart) async throws -> RunRecord? {
      defer { wakeUps.tell() }
      return try await submit(isRepeatable: true) { session in
        let statements = JournalStatements(session: session)
        return try statements.unlessLocked { try statements.startAlone(start) }
      }
    }
  }

  extension JournalStatements {
    /// Starts a run, in a transaction if it takes several statements.
    func startAlone(_ start: RunStart) throws -> RunRecord {
      let isPlain = (start.key == nil || start.ifTaken == .existing) && start.origin == nil
      guard !isPlain || start.concurrencyKey != nil else { return try self.start(start) }
      return try session.transaction {
        if start.concurrencyKey != nil { try lockPauses(asReader: true) }
        return try self.start(start)
      }
    }
  }

  /// The starts of a batch that wait for locks, in their order.
  private struct LockedStarts {
    private(set) var places: [Int] = []
    private var ids: Set<RunID> = []
    private var keys: Set<[[UInt8]]> = []

    /// Whether a start follows one of these, with the same identifier or the same key.
    func isAhead(of start: RunStart) -> Bool {
      ids.contains(start.id) || Self.key(of: start).map { keys.contains($0) } ?? false
    }

    mutating func add(_ start: RunStart, at place: Int) {
      places.append(place)
      ids.insert(start.id)
      if let key = Self.key(of: start) { keys.insert(key) }
    }

    private static func key(of start: RunStart) -> [[UInt8]]? {
      start.key.map { [Array(start.flow.utf8), Array($0.utf8)] }
    }
  }
#endif
