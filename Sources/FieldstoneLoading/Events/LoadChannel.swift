import FieldstoneCore

/// What one load reports and how it ends: heard in order, and nothing after the end.
///
/// A task that awaits the end gets it after the reports that were made before it; a report that is
/// being heard on another thread is waited for. So a late early value never follows the final one.
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
