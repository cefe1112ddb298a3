public import FieldstoneCore
public import FieldstoneLoading

/// What every provider promises, as a suite that any provider can be put through.
///
/// It needs no test framework: ``check()`` throws what failed, all of it.
///
/// ```swift
/// @Test func usersConform() async throws {
///   try await ProviderConformance(parameters: "ada", expected: [ada]) {
///     UserProvider(client: .stub)
///   }
///   .check()
/// }
/// ```
///
/// The promises: a load gives its output, again and again, and several at once; progress does not
/// go back and nothing is reported after the end; a cancelled load ends promptly, with
/// `CancellationError` and never with another error, and leaves other loads alone.
public struct ProviderConformance<Provider: DataProvider>: Sendable {
  /// A provider whose load stays under way until it is cancelled, and how to know that it is.
  public struct Held: Sendable {
    let provider: Provider
    let hasBegun: @Sendable () async -> Void

    /// Makes the description of a provider that is held, by a ``Gate`` or a server say.
    ///
    /// - Parameters:
    ///   - provider: a provider whose load does not end by itself.
    ///   - hasBegun: returns once a load of it is under way: `{ await gate.arrivals(atLeast: 1) }`.
    public init(_ provider: Provider, hasBegun: @escaping @Sendable () async -> Void) {
      self.provider = provider
      self.hasBegun = hasBegun
    }
  }

  let parameters: Provider.Parameters
  let isExpected: @Sendable (Provider.Output) -> Bool
  let makeProvider: @Sendable () async throws -> Provider

  /// Makes a held provider, for the promise that a load under way can be cancelled; without it,
  /// loads are cancelled at moments that chance decides.
  public var makeHeld: (@Sendable () async throws -> Held)?

  /// Whether progress may go back, as it does when a provider tries again.
  public var allowsProgressToGoBack = false

  /// How long a load may take, and a cancelled one to end, before it counts as hanging.
  ///
  /// A minute, as a machine that runs many tests at once can leave a load waiting for long.
  public var patience = Duration.seconds(60)

  /// What the patience goes by.
  public var time = TimeSource.system

  /// Makes a suite for a provider.
  ///
  /// - Parameters:
  ///   - parameters: what the provider is loaded with.
  ///   - isExpected: whether an output is right.
  ///   - makeProvider: makes the provider; each promise is tried on a new one.
  public init(
    parameters: Provider.Parameters,
    isExpected: @escaping @Sendable (Provider.Output) -> Bool,
    makeProvider: @escaping @Sendable () async throws -> Provider
  ) {
    self.parameters = parameters
    self.isExpected = isExpected
    self.makeProvider = makeProvider
  }

  /// Makes a suite for a provider whose output can be compared.
  ///
  /// - Parameters:
  ///   - parameters: what the provider is loaded with.
  ///   - expected: the output.
  ///   - makeProvider: makes the provider; each promise is tried on a new one.
  public init(
    parameters: Provider.Parameters, expected: Provider.Output,
    makeProvider: @escaping @Sendable () async throws -> Provider
  ) where Provider.Output: Equatable {
    self.init(parameters: parameters, isExpected: { $0 == expected }, makeProvider: makeProvider)
  }

  /// Puts the provider through all of the promises.
  ///
  /// - Throws: ``ProviderConformanceError`` with every promise that was broken; what `makeProvider`
  ///   and `makeHeld` throw.
  public func check() async throws {
    var failures: [ProviderConformanceError.Failure] = []
    failures += await loadsAgain(try await makeProvider())
    failures += await loadsConcurrently(try await makeProvider())
    failures += await isCancelledBefore(try await makeProvider())
    failures += await isCancelledAtAnyMoment(try await makeProvider())
    if let makeHeld {
      failures += await isCancelledWhileHeld(try await makeHeld())
    }
    if !failures.isEmpty {
      throw ProviderConformanceError(provider: "\(Provider.self)", failures: failures)
    }
  }
}

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
