public import FieldstoneCore
public import FieldstoneLoading

/// A conformance suite for providers.
///
/// It needs no test framework: ``check()`` throws an error with all broken promises.
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
/// The promises: a load returns its output, also repeatedly and concurrently. Progress does not go
/// back, and nothing is reported after the end. A cancelled load ends promptly with
/// `CancellationError`, and does not affect other loads.
public struct ProviderConformance<Provider: DataProvider>: Sendable {
  /// A provider whose load stays under way until it is cancelled.
  public struct Held: Sendable {
    let provider: Provider
    let hasBegun: @Sendable () async -> Void

    /// Describes a held provider, for example one held by a ``Gate`` or a server.
    ///
    /// - Parameters:
    ///   - provider: a provider whose load does not end by itself.
    ///   - hasBegun: returns once its load has begun, such as `{ await gate.arrivals(atLeast: 1)
    ///     }`.
    public init(_ provider: Provider, hasBegun: @escaping @Sendable () async -> Void) {
      self.provider = provider
      self.hasBegun = hasBegun
    }
  }

  let parameters: Provider.Parameters
  let isExpected: @Sendable (Provider.Output) -> Bool
  let makeProvider: @Sendable () async throws -> Provider

  /// Makes a held provider, to cancel a load under way.
  ///
  /// Without it, loads are cancelled at arbitrary moments.
  public var makeHeld: (@Sendable () async throws -> Held)?

  /// Whether progress may go back, as during a retry.
  public var allowsProgressToGoBack = false

  /// The longest time for a load, and for the end of a cancelled one; one minute by default.
  public var patience = Duration.seconds(60)

  /// The clock of the patience.
  public var time = TimeSource.system

  /// Makes a suite for a provider.
  ///
  /// - Parameters:
  ///   - parameters: the parameters of the loads.
  ///   - isExpected: whether an output is expected.
  ///   - makeProvider: makes the provider; each promise is checked with a new one.
  public init(
    parameters: Provider.Parameters,
    isExpected: @escaping @Sendable (Provider.Output) -> Bool,
    makeProvider: @escaping @Sendable () async throws -> Provider
  ) {
    self.parameters = parameters
    self.isExpected = isExpected
    self.makeProvider = makeProvider
  }

  /// Makes a suite for a provider with an equatable output.
  ///
  /// - Parameters:
  ///   - parameters: the parameters of the loads.
  ///   - expected: the expected output.
  ///   - makeProvider: makes the provider; each promise is checked with a new one.
  public init(
    parameters: Provider.Parameters, expected: Provider.Output,
    makeProvider: @escaping @Sendable () async throws -> Provider
  ) where Provider.Output: Equatable {
    self.init(parameters: parameters, isExpected: { $0 == expected }, makeProvider: makeProvider)
  }

  /// Checks all promises.
  ///
  /// - Throws: ``ProviderConformanceError`` with all broken promises; errors of `makeProvider` and
  ///   `makeHeld`.
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

/// The broken promises of a provider.
public struct ProviderConformanceError: DescribedError {
  /// A promise of a provider.
  package enum Promise: String, Sendable, Hashable, CaseIterable {
    /// A load returns the expected output.
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
    /// A load that is cancelled under way promptly throws `CancellationError`.
    case cancelledDuring = "A load that is cancelled under way throws CancellationError, promptly."
    /// A cancelled load does not affect others.
    case independence = "A cancelled load leaves others alone."
  }

  /// A broken promise, with the actual behaviour.
  package struct Failure: Sendable, Hashable {
    /// The promise.
    package let promise: Promise
    /// The actual behaviour.
    package let detail: String
  }

  /// The type of the provider.
  package let provider: String

  /// The broken promises, in the order of the checks.
  package let failures: [Failure]

  /// The broken promises and the actual behaviour, one line each.
  public var message: String {
    let lines = failures.map { "- \($0.promise.rawValue) Instead: \($0.detail)" }
    return "\(provider) breaks promises of a provider; mend it:\n"
      + lines.joined(separator: "\n")
  }
}
