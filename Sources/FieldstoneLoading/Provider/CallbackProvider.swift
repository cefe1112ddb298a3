public import FieldstoneCore

/// A provider for a callback API. (Seed: IDMCore's `request(parameters:completion:)`.)
///
/// ```swift
/// let users = CallbackProvider { (name: String, events, completion: LoadCompletion<Data>) in
///   let request = client.search(name) { data, error in completion(data, error) }
///   return { request.cancel() }
/// }
/// ```
///
/// The first answer counts and later ones are ignored. A cancelled load ends at once; its cancel
/// handler is then called exactly once, unless the load was answered before. A completion that is
/// released without a call fails the load with a typed error instead of a hang. The cancel handler
/// must not capture the completion: the load keeps the handler, so it would keep the completion from
/// being released, and a cancelled load ignores it anyway.
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
  ///   - fileID: the place where the provider is made, for messages; leave it to the compiler.
  ///   - line: the place where the provider is made, for messages; leave it to the compiler.
  ///   - begin: begins a load, off the main actor, and returns a cancel handler or nil; an error
  ///     that it throws fails the load.
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
  /// - Throws: the error that the API returned or `begin` threw; ``CallbackProviderError``;
  ///   `CancellationError` if the task is cancelled.
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

  // A separate function, so that the load does not retain the completion once it has begun.
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

/// The completion of a callback load: call it once, from any thread.
public struct LoadCompletion<Output: Sendable>: Sendable {
  // Shared by all copies; its deallocation reveals a dropped completion.
  private let answer: CallbackAnswer<Output>
  private let location: String

  init(_ answer: CallbackAnswer<Output>, location: String) {
    self.answer = answer
    self.location = location
  }

  /// Ends the load with a result.
  ///
  /// - Returns: whether this was the answer; false if the load was answered or cancelled before.
  @discardableResult
  public func callAsFunction(_ result: Result<Output, any Error>) -> Bool {
    answer.end(with: Outcome(result)) == .taken
  }

  /// Ends the load with an output or an error; the error counts if both are given.
  ///
  /// With neither, the load fails with ``CallbackProviderError/emptyAnswer(at:)``.
  ///
  /// - Returns: the same as ``callAsFunction(_:)``.
  @discardableResult
  public func callAsFunction(_ output: Output?, _ error: (any Error)?) -> Bool {
    if let error { return self(.failure(error)) }
    if let output { return self(.success(output)) }
    return self(.failure(CallbackProviderError.emptyAnswer(at: location)))
  }
}

/// An error of a callback API.
public enum CallbackProviderError: DescribedError, RetryAdvisingError, Hashable {
  /// The completion was released without a call, so the load would have hung.
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

  /// False: it is an error in the program.
  public var isWorthRetrying: Bool { false }
}
