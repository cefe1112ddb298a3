import FieldstoneCore
import Foundation

/// Whether, when and how often a failed attempt is repeated.
///
/// ```swift
/// let policy = RetryPolicy(maximumAttempts: 5, baseDelay: .milliseconds(200))
/// ```
///
/// The delay before the n-th retry is random between zero and `baseDelay` · 2ⁿ⁻¹, at most
/// `maximumDelay`. This exponential backoff with full jitter spreads loads that failed together.
/// With ``Backoff/fixed`` the delay is always `baseDelay`, at most `maximumDelay`. If an error has a
/// ``RetryAdvisingError/retryAfter``, the delay is at least that long. Cancellation is never
/// retried, and ends the delay before a retry.
///
/// A policy is a value without counters: each call has a budget of its own.
public struct RetryPolicy: Sendable {
  /// The maximum number of attempts, including the first; less than one counts as one.
  public var maximumAttempts: Int

  /// The longest delay before the first retry; it doubles each time unless ``backoff`` is fixed.
  ///
  /// Less than zero counts as zero.
  public var baseDelay: Duration

  /// The growth of the delays; exponential unless set.
  public var backoff: Backoff

  /// The longest delay of the backoff.
  public var maximumDelay: Duration

  /// The longest delay that an error may request.
  ///
  /// An error that requests a longer one ends the attempts: an earlier attempt would not help.
  package var maximumRetryAfter: Duration

  /// Whether an error may be temporary; never called for a cancellation.
  public var shouldRetry: @Sendable (any Error) -> Bool

  /// Makes the random number generator of one call; a test returns a seeded one.
  package var makeGenerator: @Sendable () -> any RandomNumberGenerator

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - maximumAttempts: the maximum number of attempts, including the first.
  ///   - baseDelay: the longest delay before the first retry; it doubles each time.
  ///   - backoff: the growth of the delays.
  ///   - maximumDelay: the longest delay of the backoff.
  ///   - maximumRetryAfter: the longest delay that an error may request.
  ///   - makeGenerator: makes the random number generator of one call.
  ///   - shouldRetry: whether an error may be temporary; ``isWorthRetrying(_:)`` unless given.
  public init(
    maximumAttempts: Int = 3,
    baseDelay: Duration = .milliseconds(500),
    backoff: Backoff = .exponential,
    maximumDelay: Duration = .seconds(30),
    maximumRetryAfter: Duration = .seconds(300),
    makeGenerator: @escaping @Sendable () -> any RandomNumberGenerator = {
      SystemRandomNumberGenerator()
    },
    shouldRetry: @escaping @Sendable (any Error) -> Bool = { RetryPolicy.isWorthRetrying($0) }
  ) {
    self.maximumAttempts = maximumAttempts
    self.baseDelay = baseDelay
    self.backoff = backoff
    self.maximumDelay = maximumDelay
    self.maximumRetryAfter = maximumRetryAfter
    self.makeGenerator = makeGenerator
    self.shouldRetry = shouldRetry
  }

  /// The growth of the delays before retries.
  public enum Backoff: Sendable, Hashable, CaseIterable {
    /// The n-th delay is random between zero and `baseDelay` · 2ⁿ⁻¹.
    case exponential
    /// Every delay is `baseDelay`.
    ///
    /// Use it for one client that polls one server. Many clients that failed together would retry
    /// together.
    case fixed
  }

  /// Whether another attempt may succeed, judged by the error's type.
  ///
  /// False for a cancellation, for data that can't be decoded, for too many redirects, and for a
  /// request that can't be made, for example because it is too large or has a bad address. A
  /// ``RetryAdvisingError`` decides for itself:
  /// ``URLProviderError`` returns false for every 4xx except 408, 425 and 429. True for any other
  /// error.
  public static func isWorthRetrying(_ error: any Error) -> Bool {
    switch error {
    case is CancellationError, is CallCancelled, is DecodingError: false
    case let error as any RetryAdvisingError: error.isWorthRetrying
    case let error as URLError:
      ![
        .cancelled, .userCancelledAuthentication, .badURL, .unsupportedURL, .httpTooManyRedirects,
        .dataLengthExceedsMaximum,
      ].contains(error.code)
    default: true
    }
  }
}

/// An error that tells whether and when another attempt may succeed.
///
/// ``RetryPolicy`` reads it. Adopt it in the errors of your own provider; an error that does not
/// adopt it counts as temporary.
///
/// ```swift
/// enum ShopError: RetryAdvisingError {
///   case soldOut, overloaded(until: Duration)
///   var isWorthRetrying: Bool { if case .overloaded = self { true } else { false } }
///   var retryAfter: Duration? { if case .overloaded(let wait) = self { wait } else { nil } }
/// }
/// ```
public protocol RetryAdvisingError: Error {
  /// Whether the same attempt may succeed later; true by default.
  var isWorthRetrying: Bool { get }

  /// The least delay before another attempt, counted from the error; nil, the default, for no
  /// limit.
  var retryAfter: Duration? { get }
}

extension RetryAdvisingError {
  /// True: it may succeed later.
  public var isWorthRetrying: Bool { true }

  /// Nil: there is no limit.
  public var retryAfter: Duration? { nil }
}
