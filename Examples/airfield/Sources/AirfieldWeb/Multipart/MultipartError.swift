public import Fieldstone

/// What a posted form with a file can't be, or may not.
public enum MultipartError: DescribedError, Equatable {
  /// The type of the body names no boundary, or one that can't be.
  case noBoundary

  /// The body has not the form that its type says.
  case malformed(String)

  /// A part says more about itself than it may.
  case headTooLarge

  /// There are more parts than may be.
  case tooManyParts

  /// The body has ended before its last boundary.
  case truncated

  /// No file was chosen.
  case noFile

  /// There is more than one file.
  case severalFiles

  /// What went wrong and what to do about it.
  public var message: String {
    switch self {
    case .noBoundary, .headTooLarge, .tooManyParts:
      "What was sent is no form with a file. Choose the file on this page, and send it again."
    case .malformed(let what):
      "What was sent is no form with a file (\(what)). Choose the file on this page, and send it "
        + "again."
    case .truncated: "The file did not come to its end. Send it again."
    case .noFile: "No file was chosen. Choose a CSV file first."
    case .severalFiles: "That was more than one file. Import them one by one."
    }
  }
}
