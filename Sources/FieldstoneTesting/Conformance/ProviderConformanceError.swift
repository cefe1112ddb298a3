public import FieldstoneCore

/// The promises of a provider that were broken.
public struct ProviderConformanceError: DescribedError {
  /// What a provider promises.
  public enum Promise: String, Sendable, Hashable, CaseIterable {
    /// A load gives the expected output.
    case output = "A load gives the expected output."
    /// The same provider can be loaded again.
    case again = "The same provider can be loaded again."
    /// Several loads can be under way at once.
    case concurrency = "Several loads can be under way at once."
    /// Progress does not go back.
    case progress = "Progress does not go back."
    /// Nothing is reported after the end.
    case silence = "Nothing is reported after the end."
    /// A load that begins in a cancelled task throws `CancellationError`.
    case cancelledBefore = "A load in a cancelled task throws CancellationError."
    /// A load that is cancelled under way throws `CancellationError`, promptly.
    case cancelledDuring = "A load that is cancelled under way throws CancellationError, promptly."
    /// A cancelled load leaves others alone.
    case independence = "A cancelled load leaves others alone."
  }

  /// A promise that was broken, and how.
  public struct Failure: Sendable, Hashable {
    /// What was promised.
    public let promise: Promise
    /// What happened instead.
    public let detail: String
  }

  /// The type of the provider.
  public let provider: String

  /// What was broken, in the order in which it was tried.
  public let failures: [Failure]

  /// The promises and what happened instead, each on a line.
  public var message: String {
    let lines = failures.map { "- \($0.promise.rawValue) Instead: \($0.detail)" }
    return "\(provider) breaks what a provider promises; mend it:\n"
      + lines.joined(separator: "\n")
  }
}
