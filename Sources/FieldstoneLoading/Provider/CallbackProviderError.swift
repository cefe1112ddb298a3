public import FieldstoneCore

/// What a callback API does wrong.
public enum CallbackProviderError: DescribedError, RetryAdvisingError, Hashable {
  /// The completion was released and never called: without this the load would
  /// hang for ever.
  case completionDropped(at: String)

  /// The completion was called with neither an output nor an error.
  case emptyAnswer(at: String)

  /// What went wrong, where, and what to do about it.
  public var message: String {
    switch self {
    case .completionDropped(let location):
      "The completion of the provider made at \(location) was released without being called; "
        + "call it on every path."
    case .emptyAnswer(let location):
      "The completion of the provider made at \(location) got neither an output nor an error; "
        + "give it one of them."
    }
  }

  /// No: it is an error of the program.
  public var isWorthRetrying: Bool { false }
}
