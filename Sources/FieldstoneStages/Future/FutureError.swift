public import FieldstoneCore

/// What bad use of a resolver leads to.
public enum FutureError: DescribedError, Hashable {
  /// The resolver was released and never called: without this error the task that
  /// awaits it would hang for ever.
  case resolverDropped(at: String)

  /// The resolver was called again; this answer was ignored, as were others before it.
  case alreadyResolved(ignored: Int, at: String)

  /// What went wrong, where, and what to do about it.
  public var message: String {
    switch self {
    case .resolverDropped(let location):
      "The resolver of the future at \(location) was released without being called; "
        + "call it on every path of the callback."
    case .alreadyResolved(let count, let location):
      "The resolver of the future at \(location) had been called before; "
        + "\(count) later answer\(count == 1 ? " was" : "s were") ignored. Call it once."
    }
  }
}
