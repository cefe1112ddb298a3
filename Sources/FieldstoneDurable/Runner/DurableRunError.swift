public import FieldstoneCore

/// Why a run comes to no completion, or to none for now.
public enum DurableRunError: DescribedError, Hashable {
  /// Its attempts are used up; its stage is kept in the journal.
  case dead(RunID, error: String)
  /// Its stage can't be read by the code that claimed it; it is kept in the journal, and nothing was
  /// consumed.
  case blocked(RunID, error: String)
  /// It was written by a newer version of its flow than this runner has, so this runner leaves it
  /// alone; only where ``ExpectedRunner/thisRunner`` is waited for.
  case newerVersion(RunID, found: Int, known: Int)
  /// This runner has no flow of that name; only where ``ExpectedRunner/thisRunner`` is waited for.
  case unknownFlow(RunID, flow: String)
  /// It is a child that had not ended when its parent went on.
  case notEnded(RunID)

  /// What went wrong and what to do about it.
  public var message: String {
    switch self {
    case .dead(let id, let error):
      "Run \(id) is dead (\(error)); mend the cause, then retry or edit it."
    case .blocked(let id, let error):
      "Run \(id) is blocked, as its stage can't be read (\(error)); run code that can read it and retry "
        + "it, or edit it."
    case .newerVersion(let id, let found, let known):
      "Run \(id) is of version \(found) of its flow, and this runner knows up to \(known); update the "
        + "code, or let a newer process go on with it."
    case .unknownFlow(let id, let flow):
      "Run \(id) is of the flow \(flow), which this runner does not have; add a DurableFlow for it."
    case .notEnded(let id):
      "Run \(id) had not ended when its parent went on; look at its outcome before its value, or wait for "
        + "all children."
    }
  }
}

/// The runner that a waiting handle expects to bring a run to its end.
public enum ExpectedRunner: Sendable, Hashable, CaseIterable {
  /// Any runner on the journal, of this process or another, also one that is started much later.
  case anyRunner
  /// This one: what it leaves alone will not be done.
  case thisRunner
}
