public import Fieldstone

/// What keeps the server from serving.
public enum DirectoryServerError: DescribedError {
  /// The port can't be opened.
  case cannotListen(port: UInt16, reason: String)

  /// What went wrong and what to do about it.
  public var message: String {
    switch self {
    case .cannotListen(let port, let reason):
      "cannot serve on port \(port): \(reason); choose another with --port"
    }
  }
}
