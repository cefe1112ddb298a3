import FieldstoneCore
public import FieldstoneStages

extension DurableRunner {
  /// Adds many new runs to the journal, in order, as if each were started alone.
  ///
  /// Each transaction writes some hundred runs; only these are in memory as JSON. The sequence is
  /// read only as far as it is written, so it may be lazy. Runs written before an error stay: start
  /// the others again, with the same keys or identifiers.
  ///
  /// - Parameters:
  ///   - starts: where the runs begin, with keys and options.
  ///   - flow: names the flow; needed only where several flows have this type of stage.
  /// - Returns: one result for each start, in order: what `start(_:key:options:flow:)` returns or
  ///   throws. If the journal becomes unusable, all the remaining results have that error; if the
  ///   task is cancelled, they have `CancellationError`.
  /// - Throws: ``DurableRunnerError/notRegistered(stage:)``; then nothing was started.
  /// - Complexity: O(n) in the number of starts.
  @discardableResult
  public func start<Work: ContextualStage & Codable>(
    all starts: some Sequence<StageStart<Work>>, flow: String? = nil
  ) async throws -> [Result<RunHandle<Work.Completion>, any Error>]
  where Work.Completion: Codable {
    try await ids(startingAll: starts, flowName: flow).map { $0.map { handle($0) } }
  }

  /// Adds many new runs to the journal, in order, as if each were started alone.
  ///
  /// Each transaction writes some hundred runs; only these are in memory as JSON. The sequence is
  /// read only as far as it is written, so it may be lazy. Runs written before an error stay: start
  /// the others again, with the same keys or identifiers.
  ///
  /// - Parameters:
  ///   - starts: where the runs begin, with keys and options.
  ///   - flow: names the flow; needed only where several flows have this type of stage.
  /// - Returns: one result for each start, in order: what `start(_:key:options:flow:)` returns or
  ///   throws. If the journal becomes unusable, all the remaining results have that error; if the
  ///   task is cancelled, they have `CancellationError`.
  /// - Throws: ``DurableRunnerError/notRegistered(stage:)``; then nothing was started.
  /// - Complexity: O(n) in the number of starts.
  @discardableResult
  public func start<Work: DurableStage>(
    all starts: some Sequence<StageStart<Work>>, flow: String? = nil
  ) async throws -> [Result<RunHandle<Work.Completion>, any Error>] {
    try await ids(startingAll: starts, flowName: flow).map { $0.map { handle($0) } }
  }

  private func ids<Work: Encodable & Sendable>(
    startingAll starts: some Sequence<StageStart<Work>>, flowName: String?
  ) async throws -> [Result<RunID, any Error>] {
    let flow = try requests.flow(of: Work.self, named: flowName)
    var iterator = starts.makeIterator()
    var answers: [Result<RunID, any Error>] = []
    answers.reserveCapacity(starts.underestimatedCount)
    while true {
      var batch = PreparedStarts()
      await batchGate.enter()
      let turn = Registration { [batchGate] in batchGate.leave() }
      let isLast = prepare(&batch, from: &iterator, flow: flow)
      await StartTurn.$end.withValue({ turn.cancel() }) { await start(&batch, flow: flow) }
      turn.cancel()
      answers += batch.answers
      if isLast { return answers }
      if let error = batch.lastError ?? (Task.isCancelled ? CancellationError() : nil) {
        while iterator.next() != nil { answers.append(.failure(error)) }
        return answers
      }
    }
  }

  /// Takes as many starts as fit into a transaction.
  ///
  /// - Returns: true if these were the last.
  private func prepare<Work: Encodable & Sendable>(
    _ batch: inout PreparedStarts, from iterator: inout some IteratorProtocol<StageStart<Work>>,
    flow: DurableFlow
  ) -> Bool {
    while batch.hasRoom {
      guard let next = iterator.next() else { return true }
      do {
        batch.add(
          try requests.start(
            next.stage, key: next.key, options: next.options, flow: flow.name))
      } catch {
        batch.refuse(error)
      }
    }
    return false
  }

  private func start(_ batch: inout PreparedStarts, flow: DurableFlow) async {
    guard !batch.starts.isEmpty else { return }
    let now = JournalTime(time, boot: options.boot)
    let results = await journal.start(batch.starts, at: now)
    for (place, result) in zip(batch.places, results) {
      do {
        let record = try result.get()
        if flow.mayFree(record) {
          try await journal.free(record.id, by: self.options.worker, at: now)
        }
        emit(.started, flow: flow.name, run: record.id)
        batch.answers[place] = .success(record.id)
      } catch {
        batch.answers[place] = .failure(error)
      }
    }
    nudge(batch.answers.compactMap { try? $0.get() })
  }
}

/// The starts of one transaction, and their answers.
private struct PreparedStarts {
  private(set) var starts: [RunStart] = []
  /// The indices of the starts' answers.
  private(set) var places: [Int] = []
  var answers: [Result<RunID, any Error>] = []
  private var bounds = StartBatch()

  var hasRoom: Bool { bounds.hasRoom && answers.count < StartBatch.largest }

  mutating func add(_ start: RunStart) {
    bounds.add(start)
    places.append(answers.count)
    starts.append(start)
    answers.append(.failure(JournalError.unanswered))
  }

  mutating func refuse(_ error: any Error) {
    answers.append(.failure(error))
  }

  /// The error of all starts, if the journal was unavailable for all of them.
  var lastError: (any Error)? {
    var last: JournalError?
    for place in places {
      guard case .failure(let error as JournalError) = answers[place],
        error.isTransient || error == .closed
      else { return nil }
      last = error
    }
    return last
  }
}
