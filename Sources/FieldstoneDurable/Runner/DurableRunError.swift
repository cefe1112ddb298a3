public import FieldstoneCore

/// How a run ended that came to no completion.
public enum DurableRunError: DescribedError, Hashable {
  /// Its attempts are used up; its stage is kept in the journal.
  case dead(RunID, error: String)

  /// What went wrong and what to do about it.
  public var message: String {
    switch self {
    case .dead(let id, let error):
      "Run \(id) is dead (\(error)); mend the cause, then retry or edit it."
    }
  }
}
