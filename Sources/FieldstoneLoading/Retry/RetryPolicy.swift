import FieldstoneCore
import Foundation

/// Whether, when and how often a failed attempt is made again.
///
/// ```swift
/// let policy = RetryPolicy(maximumAttempts: 5, baseDelay: .milliseconds(200))
/// ```
///
/// Before the n-th retry it waits a random time between zero and `baseDelay` · 2ⁿ⁻¹, at most
/// `maximumDelay`. This exponential backoff with full jitter spreads loads that failed together.
/// With ``Backoff/fixed`` it waits `baseDelay` each time. An error that says when to come back
/// (``RetryAdvisingError/retryAfter``) is believed: the wait is then at least that long.
/// Cancellation is never retried, and ends the wait before a retry.
///
/// A policy is a value and counts nothing itself: each call has a budget of its own.
public struct RetryPolicy: Sendable {
  /// How many attempts are made at most, the first included; less than one counts as one.
  public var maximumAttempts: Int

  /// The longest wait before the first retry; it doubles with each one unless ``backoff`` is fixed.
  ///
  /// Less than zero counts as zero.
  public var baseDelay: Duration

  /// How the waits grow; exponentially unless set.
  public var backoff: Backoff

  /// The longest wait that the backoff comes to.
  public var maximumDelay: Duration

  /// The longest wait that an error may ask for.
  ///
  /// An error that asks for more ends the attempts: an earlier attempt would not help.
  package var maximumRetryAfter: Duration

  /// True for an error that may pass; never called for a cancellation.
  public var shouldRetry: @Sendable (any Error) -> Bool

  /// Makes the source of chance of one call; a test gives one with a seed.
  package var makeGenerator: @Sendable () -> any RandomNumberGenerator

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - maximumAttempts: how many attempts are made at most, the first included.
  ///   - baseDelay: the longest wait before the first retry; it doubles with each one.
  ///   - backoff: how the waits grow.
  ///   - maximumDelay: the longest wait that the backoff comes to.
  ///   - maximumRetryAfter: the longest wait that an error may ask for.
  ///   - makeGenerator: makes the source of chance of one call.
  ///   - shouldRetry: whether an error may pass; ``isWorthRetrying(_:)`` unless given.
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

  /// How the waits before retries grow.
  public enum Backoff: Sendable, Hashable, CaseIterable {
    /// The n-th wait is a random time between zero and `baseDelay` · 2ⁿ⁻¹.
    case exponential
    /// Every wait is `baseDelay`: for one client that asks one server for something that is not
    /// ready yet. Many clients that failed together come back together.
    case fixed
  }

  /// True for an error that another attempt may not meet again, judged by its type.
  ///
  /// A cancellation does not, nor does data that can't be decoded, nor a request that can't be
  /// made (a bad address). A ``RetryAdvisingError`` is asked: ``URLProviderError`` says no to every
  /// 4xx except 408, 425 and 429. Anything else may.
  public static func isWorthRetrying(_ error: any Error) -> Bool {
    switch error {
    case is CancellationError, is CallCancelled, is DecodingError: false
    case let error as any RetryAdvisingError: error.isWorthRetrying
    case let error as URLError:
      ![.cancelled, .userCancelledAuthentication, .badURL, .unsupportedURL].contains(error.code)
    default: true
    }
  }
}

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

  /// The least wait before another attempt, counted from the error; nil, the default, where the
  /// server gave none.
  var retryAfter: Duration? { get }
}

extension RetryAdvisingError {
  /// It may succeed later.
  public var isWorthRetrying: Bool { true }

  /// Nothing was said.
  public var retryAfter: Duration? { nil }
}
