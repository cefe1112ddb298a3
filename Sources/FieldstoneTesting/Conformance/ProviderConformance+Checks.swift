import FieldstoneCore
import FieldstoneLoading

extension ProviderConformance {
  typealias Failure = ProviderConformanceError.Failure

  func loadsAgain(_ provider: Provider) async -> [Failure] {
    let logs = [LoadLog<Provider.Output>(), LoadLog<Provider.Output>()]
    let first = await ending(of: start(provider, log: logs[0]))
    let second = await ending(of: start(provider, log: logs[1]))
    // A third load gives a late report of the second load time to arrive.
    _ = await ending(of: start(provider, log: LoadLog()))
    return failures(.output, first) + failures(.again, second) + logs.flatMap { complaints(of: $0) }
  }

  func loadsConcurrently(_ provider: Provider) async -> [Failure] {
    let logs = (0..<8).map { _ in LoadLog<Provider.Output>() }
    let tasks = logs.map { start(provider, log: $0) }
    var found: [Failure] = []
    for task in tasks { found += failures(.concurrency, await ending(of: task)) }
    // One failure is enough, however many loads broke the promise.
    return Array(found.prefix(1) + logs.flatMap { complaints(of: $0) }.prefix(1))
  }

  func isCancelledBefore(_ provider: Provider) async -> [Failure] {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await provider.load(parameters, reporting: LoadEvents())
    }
    return cancellationFailures(.cancelledBefore, await ending(of: task))
  }

  func isCancelledAtAnyMoment(_ provider: Provider) async -> [Failure] {
    var found: [Failure] = []
    for _ in 0..<10 {
      let cancelled = start(provider, log: LoadLog())
      let other = start(provider, log: LoadLog())
      cancelled.cancel()
      let ending = await ending(of: cancelled)
      // The load may have ended before the cancellation.
      if case .output = ending {
        found += failures(.cancelledDuring, ending)
      } else {
        found += cancellationFailures(.cancelledDuring, ending)
      }
      found += failures(.independence, await self.ending(of: other))
      if !found.isEmpty { break }
    }
    return found
  }

  func isCancelledWhileHeld(_ held: Held) async -> [Failure] {
    let log = LoadLog<Provider.Output>()
    let task = start(held.provider, log: log)
    guard await patiently({ await held.hasBegun() }) != nil else {
      task.cancel()
      return [Failure(promise: .cancelledDuring, detail: "the held load did not begin in time.")]
    }
    if log.isOver {
      return [Failure(promise: .cancelledDuring, detail: "the held load ended by itself.")]
    }
    task.cancel()
    return cancellationFailures(.cancelledDuring, await ending(of: task))
  }
}

extension ProviderConformance {
  /// The end of a load.
  enum Ending: Sendable {
    case output(Provider.Output)
    case cancelled
    case error(any Error)
    case none
  }

  private func start(
    _ provider: Provider, log: LoadLog<Provider.Output>
  ) -> Task<Provider.Output, any Error> {
    Task {
      let output = try await provider.load(parameters, reporting: log.events)
      log.end()
      return output
    }
  }

  private func ending(of task: Task<Provider.Output, any Error>) async -> Ending {
    let result = await patiently { await task.result }
    switch result {
    case .success(let output): return .output(output)
    case .failure(is CancellationError): return .cancelled
    case .failure(let error): return .error(error)
    case nil:
      task.cancel()
      return .none
    }
  }

  private func failures(
    _ promise: ProviderConformanceError.Promise, _ ending: Ending
  ) -> [Failure] {
    switch ending {
    case .output(let output) where isExpected(output): []
    case .output(let output): [Failure(promise: promise, detail: "it gave \(output).")]
    case .cancelled: [Failure(promise: promise, detail: "it threw CancellationError.")]
    case .error(let error): [Failure(promise: promise, detail: "it threw \(error).")]
    case .none: [Failure(promise: promise, detail: "it did not end within \(patience).")]
    }
  }

  private func cancellationFailures(
    _ promise: ProviderConformanceError.Promise, _ ending: Ending
  ) -> [Failure] {
    if case .cancelled = ending { return [] }
    if case .output = ending {
      return [Failure(promise: promise, detail: "it gave an output.")]
    }
    return failures(promise, ending)
  }

  private func complaints(of log: LoadLog<Provider.Output>) -> [Failure] {
    var found: [Failure] = []
    if let fall = log.fall, !allowsProgressToGoBack {
      found.append(Failure(promise: .progress, detail: "it went from \(fall.from) to \(fall.to)."))
    }
    if log.lateCount > 0 {
      found.append(
        Failure(promise: .silence, detail: "\(log.lateCount) reports came after the end."))
    }
    return found
  }

  /// Waits for an operation, but no longer than the patience; nil after that.
  private func patiently<Result: Sendable>(
    _ operation: @escaping @Sendable () async -> Result
  ) async -> Result? {
    let promise = OutcomePromise<Result>()
    let work = Task { promise.end(with: .success(await operation())) }
    let timer = Task {
      try await time.sleep(for: patience)
      promise.end(with: .cancelled(.busy))
    }
    defer {
      work.cancel()
      timer.cancel()
    }
    return await promise.outcome.value
  }
}

/// The reports of one load.
private final class LoadLog<Output: Sendable>: Sendable {
  private struct State {
    var isOver = false
    var lateCount = 0
    var latest = 0.0
    var fall: Fall?
  }

  struct Fall: Sendable {
    let from: Double
    let to: Double
  }

  private let state = Locked(State())

  var isOver: Bool { state.withLock { $0.isOver } }
  var lateCount: Int { state.withLock { $0.lateCount } }
  var fall: Fall? { state.withLock { $0.fall } }

  var events: LoadEvents<Output> {
    LoadEvents(
      onProgress: { progress in
        self.state.withLock { state in
          if state.isOver { state.lateCount += 1 }
          guard case .fraction(let part) = progress else { return }
          if part < state.latest, state.fall == nil {
            state.fall = Fall(from: state.latest, to: part)
          }
          state.latest = part
        }
      },
      onEarlyValue: { _ in
        self.state.withLock { state in
          if state.isOver { state.lateCount += 1 }
        }
      })
  }

  func end() {
    state.withLock { $0.isOver = true }
  }
}
