public import Foundation

/// An error whose message is written for people.
///
/// An enum adopts it by providing `message`; use ``MessageError`` if a string alone is enough.
/// `print`, `"\(error)"` and an uncaught error show the message. `localizedDescription` and `as
/// NSError` keep it, underlying errors included. `dump` shows the parts. (Seed: Mold's
/// `MDErrorType`.)
///
/// ```swift
/// enum ParseError: DescribedError {
///   case notJSON
///   var message: String { "The file holds no JSON; export it again." }
/// }
/// ```
public protocol DescribedError: LocalizedError, CustomNSError, CustomStringConvertible {
  /// One or two sentences: the failure, then the remedy.
  var message: String { get }

  /// The errors that led to this one, the nearest first; none unless given.
  var underlyingErrors: [any Error] { get }
}

extension DescribedError {
  /// No underlying errors.
  public var underlyingErrors: [any Error] { [] }

  /// The message, for `print` and `"\(error)"`.
  public var description: String { message }

  /// The message, for `localizedDescription`.
  public var errorDescription: String? { message }

  // Foundation has defaults for the following requirements, but a file that adopts this protocol
  // without importing Foundation would not see them.

  /// None; the message covers it.
  public var failureReason: String? { nil }

  /// None; the message covers it.
  public var recoverySuggestion: String? { nil }

  /// None.
  public var helpAnchor: String? { nil }

  /// The name of the error's type, for `as NSError`.
  public static var errorDomain: String { String(reflecting: Self.self) }

  /// One, for `as NSError`, unless the error type defines its own codes.
  public var errorCode: Int { 1 }

  /// The message and the underlying errors, for `as NSError`.
  public var errorUserInfo: [String: Any] {
    var information: [String: Any] = [NSLocalizedDescriptionKey: message]
    if let first = underlyingErrors.first {
      information[NSUnderlyingErrorKey] = first
    }
    if underlyingErrors.count > 1 {
      information["NSMultipleUnderlyingErrorsKey"] = underlyingErrors
    }
    return information
  }
}

/// An error made from a string alone. (Seed: Mold's `MDError`.)
///
/// ```swift
/// throw MessageError("Invalid email and password.")
/// ```
public struct MessageError: DescribedError {
  /// The failure, then the remedy.
  public let message: String

  /// The errors that led to this one, the nearest first.
  public let underlyingErrors: [any Error]

  /// Makes an error from its message, and from the errors that led to it.
  public init(_ message: String, underlying: any Error...) {
    self.message = message
    self.underlyingErrors = underlying
  }
}
