public import FieldstoneCore

/// The reason why a server can't serve.
public enum SiteServerError: DescribedError, Hashable {
  /// The port can't be opened.
  case cannotListen(port: UInt16, reason: String)

  /// The failure, then the remedy.
  public var message: String {
    switch self {
    case .cannotListen(let port, let reason):
      "Port \(port) can't be served on (\(reason)); choose another, or 0 for a free one."
    }
  }
}
