public import FieldstoneCore

/// What can go wrong with an execution apart from the work itself.
public enum StageError: DescribedError, Hashable {
  /// A stage wanted to wait, but was executed by code that can't suspend.
  case waitsInSynchronousExecution

  /// What went wrong and what to do about it.
  public var message: String {
    switch self {
    case .waitsInSynchronousExecution:
      "A stage wants to wait, which code that is not asynchronous can't do; "
        + "write `try await stage.execute()` in an async function instead."
    }
  }
}
