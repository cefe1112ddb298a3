/// The run whose stage the current task works on.
enum StageScope {
  @TaskLocal static var run: RunID?

  /// Refuses to wait for a run within the work of a stage, which keeps its place meanwhile.
  static func checkMayAwait(_ id: RunID) throws(DurableRunnerError) {
    if let run { throw .awaitedInStage(id, of: run) }
  }
}
