public import FieldstoneCore

/// The reason why a body is not a valid form with files.
public enum MultipartError: DescribedError, Hashable {
  /// The body does not have the format of its type, or exceeds a limit.
  case malformed(String)
  /// The body ended before its last boundary.
  case truncated

  /// The failure, then the remedy.
  public var message: String {
    switch self {
    case .malformed(let reason):
      "The request is no form with a file (\(reason)). Choose the file on the page, and send it again."
    case .truncated: "The file did not come to its end. Send it again."
    }
  }

  package static let noBoundary = Self.malformed("its type has no boundary")
  package static let headTooLarge = Self.malformed("a head is too large")
  package static let tooManyParts = Self.malformed("it has too many parts")
}
