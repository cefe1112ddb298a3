/// An error that knows whether another attempt can help, and when it would.
///
/// ``RetryPolicy`` asks it. Adopt it in the errors of a provider of your own; an error that does
/// not adopt it counts as one that may pass.
///
/// ```swift
/// enum ShopError: RetryAdvisingError {
///   case soldOut, overloaded(until: Duration)
///   var isWorthRetrying: Bool { if case .overloaded = self { true } else { false } }
///   var retryAfter: Duration? { if case .overloaded(let wait) = self { wait } else { nil } }
/// }
/// ```
public protocol RetryAdvisingError: Error {
  /// Whether the same attempt may succeed later; true unless given.
  var isWorthRetrying: Bool { get }

  /// How long to wait at least before another attempt, counted from when the error arose; nil,
  /// also unless given, where the failed server did not say.
  var retryAfter: Duration? { get }
}

extension RetryAdvisingError {
  /// It may succeed later.
  public var isWorthRetrying: Bool { true }

  /// Nothing was said.
  public var retryAfter: Duration? { nil }
}
