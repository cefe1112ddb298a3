import FieldstoneCore

/// The reports and the end of one load, in order, with no report after the end.
///
/// A task that awaits the end resumes after all earlier reports, including those that another
/// thread is delivering. So a late early value never follows the final one.
final class LoadChannel<Output: Sendable>: Sendable {
  private let promise: OutcomePromise<Output>
  private let delivery: SerialDelivery<LoadReport<Output>>

  init(_ events: LoadEvents<Output>) {
    let promise = OutcomePromise<Output>()
    self.promise = promise
    delivery = SerialDelivery { report in
      switch report {
      case .progress(let progress): if promise.current == nil { events.progress(progress) }
      case .early(let value): if promise.current == nil { events.early(value) }
      case .end(let outcome): promise.end(with: outcome)
      }
    }
  }

  /// The load's view of this channel, for its reports.
  var events: LoadEvents<Output> {
    LoadEvents(onProgress: { self.progress($0) }, onEarlyValue: { self.early($0) })
  }

  func progress(_ progress: LoadProgress) { delivery.send(.progress(progress)) }

  func early(_ value: Output) { delivery.send(.early(value)) }

  /// Ends the load after the earlier reports are delivered, unless it has ended.
  func end(with outcome: Outcome<Output>) { delivery.send(.end(outcome)) }

  /// Ends the load at once.
  func cancel() { promise.end(with: .cancelled(.caller)) }

  /// Waits for the end; throws at once if the task is cancelled.
  var value: Output {
    get async throws { try await promise.value }
  }
}

/// A report of a load: its progress, an early value, or its end.
indirect enum LoadReport<Output: Sendable>: Sendable {
  // Indirect, so that all outputs have one size: the code is then small and not generic.

  case progress(LoadProgress)
  case early(Output)
  case end(Outcome<Output>)
}

/// Additional tasks of one load, which are cancelled together.
///
/// The load does not wait for a task that ignores its cancellation. They are not children of a task
/// group, which would wait for the slowest task after a failure or a cancellation. They inherit
/// priority and task locals.
final class Branches: Sendable {
  private struct State {
    var tasks: [Task<Void, Never>] = []
    var isCancelled = false
  }

  private let state = Locked(State())

  /// Starts a task; after `cancel` it starts as cancelled.
  func start(_ work: @escaping @Sendable () async -> Void) {
    let task = Task { await work() }
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.tasks.append(task) }
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Cancels all tasks.
  func cancel() {
    let tasks = state.withLock { state in
      defer { state.tasks = [] }
      state.isCancelled = true
      return state.tasks
    }
    for task in tasks { task.cancel() }
  }
}
