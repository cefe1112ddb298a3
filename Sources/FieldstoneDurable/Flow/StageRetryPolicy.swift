import FieldstoneCore
import Foundation

/// How often a durable stage is attempted, how long it waits in between, and for which errors.
///
/// Before the n-th retry it waits a random time between zero and `baseDelay` · 2ⁿ⁻¹, at most
/// `maximumDelay` (exponential backoff with full jitter, so that runs that failed together do
/// not come back together). The wait is by wall time and in the journal: it survives a restart.
///
/// An attempt counts that failed with an error. One that ended with a crash does not
/// (``FlowOptions/maximumLoneCrashes`` bounds those), nor does one that was interrupted by
/// ``DurableRunner/shutdown()``.
public struct StageRetryPolicy: Sendable {
  /// How many attempts may fail at most, the first included; less than one counts as one.
  public var maximumAttempts: Int

  /// The longest wait before the first retry; it doubles with each one.
  ///
  /// Less than zero counts as zero.
  public var baseDelay: Duration

  /// The longest wait that the backoff comes to.
  public var maximumDelay: Duration

  /// Whether another attempt may end better; never asked about a cancellation by the runner.
  public var shouldRetry: @Sendable (any Error) -> Bool

  /// Makes a policy; ten attempts within some minutes unless told otherwise.
  public init(
    maximumAttempts: Int = 10, baseDelay: Duration = .seconds(1),
    maximumDelay: Duration = .seconds(600),
    shouldRetry: @escaping @Sendable (any Error) -> Bool = StageRetryPolicy.isWorthRetrying
  ) {
    self.maximumAttempts = maximumAttempts
    self.baseDelay = baseDelay
    self.maximumDelay = maximumDelay
    self.shouldRetry = shouldRetry
  }

  /// One attempt; what a crash has ended runs again all the same.
  public static var never: Self { Self(maximumAttempts: 1) }

  /// True, but for what the same work would meet again: a stage that can't be written as JSON or
  /// is too large, a name with a NUL, children that are too many, too deep or need their parent's
  /// concurrency key, attributes and traces above their limits, and a write on a journal without
  /// transactions.
  ///
  /// To do the work again would only repeat its effects. What else a journal refuses may be otherwise
  /// the next time: work that signals another run may come before that is started.
  @Sendable
  public static func isWorthRetrying(_ error: any Error) -> Bool {
    switch error {
    case JournalError.tooLarge, JournalError.notJSON, JournalError.noTransactions,
      JournalError.containsNUL, JournalError.tooManyChildren, JournalError.tooDeep,
      JournalError.keyHeldByParent, JournalError.tooManyAttributes, JournalError.traceTooLong:
      false
    default: !(error is EncodingError)
    }
  }
}

extension StageRetryPolicy {
  /// The attempts as they count.
  var attemptLimit: Int { max(1, maximumAttempts) }

  /// A random wait after so many attempts.
  ///
  /// The bits are taken as a fraction: `Double.random` would try again and again with a source that
  /// always says the same.
  func delay(after attempts: Int, bits: UInt64) -> Duration {
    DoublingDelay.wait(after: attempts, first: baseDelay, longest: maximumDelay)
      * (Double(bits >> 11) / Double(UInt64.max >> 11))
  }
}
