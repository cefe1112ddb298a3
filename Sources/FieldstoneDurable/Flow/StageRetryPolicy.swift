import FieldstoneCore
import Foundation

/// The number of attempts at a durable stage, the waits in between, and the errors to retry.
///
/// Before the n-th retry it waits a random time between zero and `baseDelay` · 2ⁿ⁻¹, at most
/// `maximumDelay`. This is exponential backoff with full jitter, so that runs that failed together
/// are not retried together. The wait is by wall time and in the journal: it survives a restart.
///
/// Attempts that failed with an error count. An attempt that ended in a crash does not
/// (``FlowOptions/maximumLoneCrashes`` bounds those), and neither does one that
/// ``DurableRunner/shutdown()`` interrupted.
public struct StageRetryPolicy: Sendable {
  /// The largest number of failed attempts, including the first; values below one count as one.
  public var maximumAttempts: Int

  /// The longest wait before the first retry; it doubles with each retry.
  ///
  /// Values below zero count as zero.
  public var baseDelay: Duration

  /// The upper bound of the backoff.
  public var maximumDelay: Duration

  /// Whether another attempt may succeed; not called for a cancellation by the runner.
  public var shouldRetry: @Sendable (any Error) -> Bool

  /// Makes a policy; by default ten attempts within some minutes.
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

  /// One attempt; an attempt that ended in a crash is still repeated.
  public static var never: Self { Self(maximumAttempts: 1) }

  /// False for errors that another attempt would meet again; true for all others.
  ///
  /// False for: a stage that can't be encoded as JSON or is too large; a name with a NUL or above its
  /// limit; children that are too many, too deep, started twice or need their parent's concurrency
  /// key; attributes and traces above their limits; runs of another shard; a start that no codec can
  /// encode; and a write on a journal without transactions.
  ///
  /// Another attempt would only repeat their effects. Other errors of a journal may not occur
  /// again: work that signals another run may precede the start of that run.
  @Sendable
  public static func isWorthRetrying(_ error: any Error) -> Bool {
    switch error {
    case JournalError.tooLarge, JournalError.notJSON, JournalError.noTransactions,
      JournalError.containsNUL, JournalError.keyTooLong, JournalError.invalidSignalNames,
      JournalError.tooManyChildren, JournalError.tooDeep, JournalError.childTaken,
      JournalError.placeHeldByParent, JournalError.tooManyAttributes, JournalError.traceTooLong,
      JournalError.otherShard, JournalError.slotOfKey, PayloadError.replacesInTransaction:
      false
    default: !(error is EncodingError)
    }
  }
}

extension StageRetryPolicy {
  /// The effective number of attempts.
  var attemptLimit: Int { max(1, maximumAttempts) }

  /// A random wait after this many attempts.
  ///
  /// The bits are used as a fraction: `Double.random` would loop on a source that always returns
  /// the same value.
  func delay(after attempts: Int, bits: UInt64) -> Duration {
    DoublingDelay.wait(after: attempts, first: baseDelay, longest: maximumDelay)
      * (Double(bits >> 11) / Double(UInt64.max >> 11))
  }
}
