import FieldstoneCore

/// The reports and the end of one load, in order, with nothing after the end.
///
/// A task that awaits the end gets it after all earlier reports, also those under way on another
/// thread. So a late early value never follows the final one.
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

  /// Where to report.
  var events: LoadEvents<Output> {
    LoadEvents(onProgress: { self.progress($0) }, onEarlyValue: { self.early($0) })
  }

  func progress(_ progress: LoadProgress) { delivery.send(.progress(progress)) }

  func early(_ value: Output) { delivery.send(.early(value)) }

  /// Ends the load once the reports before are heard, unless it has ended.
  func end(with outcome: Outcome<Output>) { delivery.send(.end(outcome)) }

  /// Ends the load at once.
  func cancel() { promise.end(with: .cancelled(.caller)) }

  /// Waits for the end; leaves at once when the task is cancelled.
  var value: Output {
    get async throws { try await promise.value }
  }
}

/// A report of a load: its progress, an early value, or its end.
indirect enum LoadReport<Output: Sendable>: Sendable {
  // Indirect, so that it has one size for all outputs: its code is then not generic, and small.

  case progress(LoadProgress)
  case early(Output)
  case end(Outcome<Output>)
}

/// The tasks that one load has beside its own: they are all cancelled together, and the load
/// does not wait for one that ignores it.
///
/// They are no children of a task group: that would wait, at a failure and at a cancellation, for
/// the slowest of them. They inherit priority and task locals.
final class Branches: Sendable {
  private struct State {
    var tasks: [Task<Void, Never>] = []
    var isCancelled = false
  }

  private let state = Locked(State())

  /// Starts a branch; one that comes after the cancellation begins as cancelled.
  func start(_ work: @escaping @Sendable () async -> Void) {
    let task = Task { await work() }
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.tasks.append(task) }
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Cancels every branch.
  func cancel() {
    let tasks = state.withLock { state in
      defer { state.tasks = [] }
      state.isCancelled = true
      return state.tasks
    }
    for task in tasks { task.cancel() }
  }
}
