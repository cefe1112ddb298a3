public import FieldstoneCore

/// A reason why a body is no form with files.
public enum MultipartError: DescribedError, Hashable {
  /// The body has not the form of its type, or exceeds a limit.
  case malformed(String)
  /// The body has ended before its last boundary.
  case truncated

  /// What went wrong and what to do about it.
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
