#if Observability
  public import FieldstoneDurable
  public import Logging

  extension DurableRunnerOptions {
    /// Writes what happens in the runner to a log, too; what was told of events before still is.
    ///
    /// The message says what happened, always in the same words; the metadata say to whom: `flow`,
    /// `run`, `sequence` (the stage's number in the chain), `attempt`, and what belongs to the event.
    ///
    /// | level | events |
    /// | --- | --- |
    /// | debug | a run claimed, a stage finished (`duration`) |
    /// | info | a run started, completed, or given back (by a shutdown, or because its checkpoint could not be written) |
    /// | warning | an attempt that failed (`error`, `retry.at`), a run lost (`loss`), a journal out of reach (`error`), a large payload (`bytes`, `limit`) |
    /// | error | a run dead or blocked (`error`) |
    ///
    /// An error's text is what the stage's error says of itself: keep what is secret out of it.
    ///
    /// - Parameter logger: its level decides what is written; its own metadata go with each line.
    public mutating func log(to logger: Logger) {
      let log = RunnerLog(logger: logger)
      observe { log.write($0) }
    }
  }
#endif
