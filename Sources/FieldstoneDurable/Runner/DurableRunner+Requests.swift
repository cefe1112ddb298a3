public import FieldstoneStages

extension DurableRunner {
  /// Makes a start for one of the app's own transactions, and writes nothing.
  ///
  /// Pass it to a journal that has such transactions; passing it again starts no second run.
  ///
  /// - Parameters:
  ///   - stage: where the run begins.
  ///   - key: unique among the flow's runs; ``RunOptions/ifTaken`` decides what happens if a run
  ///     already has it.
  ///   - options: when the run begins, and its priority.
  ///   - flow: names the flow; needed only where several have this type of stage.
  /// - Throws: ``DurableRunnerError/notRegistered(stage:)``, ``JournalError``, `EncodingError`.
  public func runStart<Work: ContextualStage & Codable>(
    _ stage: Work, key: String? = nil, options: RunOptions = RunOptions(), flow: String? = nil
  ) throws -> RunStart where Work.Completion: Codable {
    try requests.start(stage, key: key, options: options, flow: flow)
  }

  /// Makes a start for one of the app's own transactions, and writes nothing.
  ///
  /// Pass it to a journal that has such transactions; passing it again starts no second run.
  ///
  /// - Parameters:
  ///   - stage: where the run begins.
  ///   - key: unique among the flow's runs; ``RunOptions/ifTaken`` decides what happens if a run
  ///     already has it.
  ///   - options: when the run begins, and its priority.
  ///   - flow: names the flow; needed only where several have this type of stage.
  /// - Throws: ``DurableRunnerError/notRegistered(stage:)``, ``JournalError``, `EncodingError`.
  public func runStart<Work: DurableStage>(
    _ stage: Work, key: String? = nil, options: RunOptions = RunOptions(), flow: String? = nil
  ) throws -> RunStart {
    try requests.start(stage, key: key, options: options, flow: flow)
  }

  /// Makes a signal for one of the app's own transactions, and sends nothing.
  ///
  /// - Parameters:
  ///   - name: the name that the run receives by.
  ///   - value: the signal's value.
  ///   - id: identifies the signal, so that sending it twice delivers it once; new unless given.
  ///   - run: the run that receives it.
  /// - Throws: ``JournalError``, `EncodingError`.
  public func signalRecord<Value>(
    _ name: SignalName<Value>, _ value: Value, id: String? = nil, to run: RunID
  ) throws -> SignalRecord {
    try requests.signal(name.name, value, id: id, to: run)
  }
}
