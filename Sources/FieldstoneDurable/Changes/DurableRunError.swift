public import FieldstoneCore

/// The reasons that a run has no completion, or none yet.
public enum DurableRunError: DescribedError, Hashable {
  /// Its attempts are used up; its stage is kept in the journal.
  case dead(RunID, error: String)
  /// The claiming code can't read its stage; the stage is kept in the journal, and nothing was
  /// consumed.
  case blocked(RunID, error: String)
  /// A newer version of its flow wrote it than this runner has, so this runner leaves it alone.
  ///
  /// Thrown only with ``ExpectedRunner/thisRunner``.
  case newerVersion(RunID, found: Int, known: Int)
  /// This runner has no flow of that name; thrown only with ``ExpectedRunner/thisRunner``.
  case unknownFlow(RunID, flow: String)
  /// Its stage of this number is not in the journal: it was purged, or the run has not reached it.
  case noStage(RunID, sequence: Int)
  /// The code that would run its stage can't read it.
  case unreadable(RunID, sequence: Int, error: String)
  /// Another run of the flow has the given key.
  case keyTaken(String, by: RunID)
  /// It is a child that was unfinished when its parent continued.
  case notEnded(RunID)

  /// Says what went wrong and what to do next.
  public var message: String {
    switch self {
    case .dead(let id, let error):
      "Run \(id) is dead (\(error)); mend the cause, then retry or edit it."
    case .blocked(let id, let error):
      "Run \(id) is blocked, as its stage can't be read (\(error)); start a runner whose "
        + "code can read it, which goes on with it, or edit it."
    case .newerVersion(let id, let found, let known):
      "Run \(id) is of version \(found) of its flow, and this runner knows up to \(known); update the "
        + "code, or let a newer process go on with it."
    case .unknownFlow(let id, let flow):
      "Run \(id) is of the flow \(flow), which this runner does not have; add a DurableFlow for it."
    case .noStage(let id, let sequence):
      "Run \(id) has no stage \(sequence) in the journal: it was purged, is yet to come, or is the end of a "
        + "completed run; take one that the list of its steps shows."
    case .unreadable(let id, let sequence, let error):
      "Stage \(sequence) of run \(id) can't be read by this code (\(error)), so nothing was written; mend the "
        + "stage or the migration, or take another stage."
    case .keyTaken(let key, let id):
      "Run \(id) has the key “\(key)” already, so nothing was started; give another key, or none."
    case .notEnded(let id):
      "Run \(id) had not ended when its parent went on; look at its outcome before its value, or wait for "
        + "all children."
    }
  }
}

/// The runner that a waiting handle expects to complete a run.
public enum ExpectedRunner: Sendable, Hashable, CaseIterable {
  /// Any runner on the journal, of this process or another, even one that starts much later.
  case anyRunner
  /// This runner: a run that it leaves alone will not be done.
  case thisRunner
}
