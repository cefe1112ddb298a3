#if PostgreSQL
  import FieldstoneDurable

  extension PostgresJournal {
    /// Inserts a batch of new runs.
    ///
    /// Another transaction may keep a key locked for minutes. Then the starts go one by one, and those
    /// that need the lock come last, when the next batch may begin. Before that, they are waited for as
    /// long as by three single calls at most, however many they are.
    func start(
      batch: [RunStart], at time: JournalTime
    ) async throws -> [Result<RunRecord, any Error>] {
      let inserted: [Int: RunRecord]? = try await submit(isRepeatable: true) { session in
        let statements = JournalStatements(session: session)
        return try statements.unlessLocked { try statements.insert(batch) }
      }
      wakeUps.tell()
      var answers = (inserted ?? [:]).mapValues { Result<RunRecord, any Error>.success($0) }
      var rest = batch.indices.filter { answers[$0] == nil }
      var wait = inserted == nil ? LockWait.share(rest.count) : nil
      // Twice, because a lock that another commit had is free by then, and would otherwise be waited
      // for behind those that are kept.
      for _ in 0..<2 {
        var locked = LockedStarts()
        for place in rest {
          let start = batch[place]
          if locked.isAhead(of: start) {
            locked.add(start, at: place)
            continue
          }
          do {
            if let record = try await startUnlessLocked(start, waiting: wait) {
              answers[place] = .success(record)
            } else {
              locked.add(start, at: place)
              wait = .share(rest.count)
            }
          } catch { answers[place] = .failure(error) }
        }
        rest = locked.places
        wait = .share(rest.count)
      }
      if !rest.isEmpty { StartTurn.end?() }
      for place in rest {
        do { answers[place] = .success(try await start(batch[place], at: time)) } catch {
          answers[place] = .failure(error)
        }
      }
      return batch.indices.map { answers[$0] ?? .failure(JournalError.unanswered) }
    }

    /// - Returns: nil if another transaction keeps a lock that the start needs.
    private func startUnlessLocked(
      _ start: RunStart, waiting wait: LockWait?
    ) async throws -> RunRecord? {
      defer { wakeUps.tell() }
      return try await submit(isRepeatable: true) { session in
        let statements = JournalStatements(session: session)
        return try statements.unlessLocked { try statements.startAlone(start, waiting: wait) }
      }
    }
  }

  extension JournalStatements {
    /// Starts a run, in a transaction if it takes several statements.
    ///
    /// - Parameter wait: how long it waits for locks; nil for as long as its connection.
    func startAlone(_ start: RunStart, waiting wait: LockWait? = nil) throws -> RunRecord {
      let isPlain = (start.key == nil || start.ifTaken == .existing) && start.origin == nil
      guard !isPlain || start.concurrencyKey != nil || wait != nil else {
        return try self.start(start)
      }
      return try session.transaction(beginningWith: wait.map { "SET LOCAL \($0.setting)" }) {
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
