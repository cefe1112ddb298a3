/// An error that a string alone makes. (Seed: Mold's `MDError`.)
///
/// ```swift
/// throw MessageError("Invalid email and password.")
/// ```
public struct MessageError: DescribedError {
  /// What went wrong and what to do about it.
  public let message: String

  /// The errors that led to this one, the nearest first.
  public let underlyingErrors: [any Error]

  /// Makes an error from its message, and from what led to it where something did.
  public init(_ message: String, underlying: any Error...) {
    self.message = message
    self.underlyingErrors = underlying
  }
}
