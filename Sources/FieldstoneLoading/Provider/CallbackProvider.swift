public import FieldstoneCore

/// A provider for an API that calls back. (Seed: IDMCore's `request(parameters:completion:)`.)
///
/// ```swift
/// let users = CallbackProvider { (name: String, events, completion: LoadCompletion<Data>) in
///   let request = client.search(name) { data, error in completion(data, error) }
///   return { request.cancel() }
/// }
/// ```
///
/// The first answer counts and any other is ignored. A cancelled load ends at once; the cancel
/// handler is then called, exactly once, and never when there was an answer before. A completion
/// that is released without having been called is a typed error and not a hang.
public struct CallbackProvider<Parameters: Sendable, Output: Sendable>: DataProvider {
  private typealias Begin =
    @Sendable (
      _ parameters: Parameters, _ events: LoadEvents<Output>, _ completion: LoadCompletion<Output>
    ) throws -> (@Sendable () -> Void)?

  private let begin: Begin
  private let location: String

  /// Makes a provider from a function that begins a load.
  ///
  /// - Parameters:
  ///   - fileID: where the provider is made, for messages; left to the compiler.
  ///   - line: where the provider is made, for messages; left to the compiler.
  ///   - begin: begins a load, off the main actor, and returns a cancel handler or nil; its error
  ///     is the load's error.
  public init(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ begin:
      @escaping @Sendable (
        _ parameters: Parameters, _ events: LoadEvents<Output>,
        _ completion: LoadCompletion<Output>
      ) throws -> (@Sendable () -> Void)?
  ) {
    self.begin = begin
    location = "\(fileID):\(line)"
  }

  /// Begins a load and waits for its answer.
  ///
  /// - Throws: the error that the API answered or `begin` threw; ``CallbackProviderError``;
  ///   `CancellationError` when the task is cancelled.
  @concurrent
  public func load(
    _ parameters: Parameters, reporting events: LoadEvents<Output>
  ) async throws -> Output {
    try Task.checkCancellation()
    let channel = LoadChannel(events)
    let work = WorkStop()
    return try await withTaskCancellationHandler {
      try start(parameters, channel, work)
      return try await channel.value
    } onCancel: {
      work.stop { channel.cancel() }
    }
  }

  // A function of its own, so that nothing of the load holds the completion once it has begun.
  private func start(
    _ parameters: Parameters, _ channel: LoadChannel<Output>, _ work: WorkStop
  ) throws {
    let completion = LoadCompletion(
      CallbackAnswer(
        to: work,
        dropped: { [location] in CallbackProviderError.completionDropped(at: location) },
        deliver: { channel.end(with: $0) }),
      location: location)
    do {
      if let stop = try begin(parameters, channel.events, completion) { work.keep(stop) }
    } catch {
      work.end()
      throw CancellationError.inPlace(of: error)
    }
  }
}

/// The answering end of a load by callback: call it once, from anywhere.
public struct LoadCompletion<Output: Sendable>: Sendable {
  // Shared by all copies; its release is how a dropped completion is noticed.
  private let answer: CallbackAnswer<Output>
  private let location: String

  init(_ answer: CallbackAnswer<Output>, location: String) {
    self.answer = answer
    self.location = location
  }

  /// Ends the load with a result.
  ///
  /// - Returns: whether this was the answer: false when there was one before, or when the load was
  ///   cancelled.
  @discardableResult
  public func callAsFunction(_ result: Result<Output, any Error>) -> Bool {
    answer.end(with: Outcome(result)) == .taken
  }

  /// Ends the load with an output or an error; the error counts where both are there.
  ///
  /// With neither, the load fails with ``CallbackProviderError/emptyAnswer(at:)``.
  ///
  /// - Returns: as ``callAsFunction(_:)``.
  @discardableResult
  public func callAsFunction(_ output: Output?, _ error: (any Error)?) -> Bool {
    if let error { return self(.failure(error)) }
    if let output { return self(.success(output)) }
    return self(.failure(CallbackProviderError.emptyAnswer(at: location)))
  }
}

/// An error of a callback API.
public enum CallbackProviderError: DescribedError, RetryAdvisingError, Hashable {
  /// The completion was released and never called: without this the load would
  /// hang for ever.
  case completionDropped(at: String)

  /// The completion was called with neither an output nor an error.
  case emptyAnswer(at: String)

  /// The failure, its place in the code, and the remedy.
  public var message: String {
    switch self {
    case .completionDropped(let location):
      "The completion of the provider made at \(location) was released without being called; "
        + "call it on every path."
    case .emptyAnswer(let location):
      "The completion of the provider made at \(location) got neither an output nor an error; "
        + "give it one of them."
    }
  }

  /// No: it is an error of the program.
  public var isWorthRetrying: Bool { false }
}
