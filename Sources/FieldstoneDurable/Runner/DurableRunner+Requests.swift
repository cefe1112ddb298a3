public import FieldstoneStages

extension DurableRunner {
  /// Makes a start for a transaction of the app's own, and writes nothing.
  ///
  /// A journal with such transactions takes it; it is the same run however often it is given.
  ///
  /// - Parameters:
  ///   - stage: where the run begins.
  ///   - key: no two runs of the flow have the same; ``RunOptions/ifTaken`` says what is done if one
  ///     has it.
  ///   - options: when the run begins, and which runs go before it.
  ///   - flow: names the flow; needed only where several have this type of stage.
  /// - Throws: ``DurableRunnerError/notRegistered(stage:)``, ``JournalError``, `EncodingError`.
  public func runStart<Work: ContextualStage & Codable>(
    _ stage: Work, key: String? = nil, options: RunOptions = RunOptions(), flow: String? = nil
  ) throws -> RunStart where Work.Completion: Codable {
    try requests.start(stage, key: key, options: options, flow: flow)
  }

  /// Makes a start for a transaction of the app's own, and writes nothing.
  ///
  /// A journal with such transactions takes it; it is the same run however often it is given.
  ///
  /// - Parameters:
  ///   - stage: where the run begins.
  ///   - key: no two runs of the flow have the same; ``RunOptions/ifTaken`` says what is done if one
  ///     has it.
  ///   - options: when the run begins, and which runs go before it.
  ///   - flow: names the flow; needed only where several have this type of stage.
  /// - Throws: ``DurableRunnerError/notRegistered(stage:)``, ``JournalError``, `EncodingError`.
  public func runStart<Work: DurableStage>(
    _ stage: Work, key: String? = nil, options: RunOptions = RunOptions(), flow: String? = nil
  ) throws -> RunStart {
    try requests.start(stage, key: key, options: options, flow: flow)
  }

  /// Makes a signal for a transaction of the app's own, and sends nothing.
  ///
  /// - Parameters:
  ///   - name: what the run waits for by.
  ///   - value: what it says.
  ///   - id: sent again under the same one, it is the same signal; new unless given.
  ///   - run: the run that is to get it.
  /// - Throws: ``JournalError``, `EncodingError`.
  public func signalRecord<Value>(
    _ name: SignalName<Value>, _ value: Value, id: String? = nil, to run: RunID
  ) throws -> SignalRecord {
    try requests.signal(name.name, value, id: id, to: run)
  }
}
