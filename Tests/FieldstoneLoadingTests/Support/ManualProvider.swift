import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting

/// A provider whose loads the test answers by hand, late and lost answers included.
final class ManualProvider<Parameters: Sendable, Output: Sendable>: DataProvider {
  /// One load that has begun.
  final class Load: Sendable {
    let parameters: Parameters
    let events: LoadEvents<Output>
    fileprivate let answer = OutcomePromise<Output>()
    private let cancellations = Recorder<Void>()

    init(_ parameters: Parameters, _ events: LoadEvents<Output>) {
      self.parameters = parameters
      self.events = events
    }

    var isCancelled: Bool { cancellations.count > 0 }

    func succeed(_ output: Output) { answer.end(with: .success(output)) }
    func fail(_ error: any Error) { answer.end(with: .failure(error)) }

    /// Waits until the load was cancelled.
    func cancelled() async { await cancellations.elements(atLeast: 1) }

    fileprivate func cancel(andEnd ends: Bool) {
      cancellations.record(())
      if ends { answer.end(with: .cancelled(.caller)) }
    }
  }

  private let loads = Recorder<Load>()
  private let heedsCancellation: Bool

  /// Makes a provider; one that does not heed its cancellation goes on until it is answered.
  init(heedsCancellation: Bool = true) {
    self.heedsCancellation = heedsCancellation
  }

  var loadCount: Int { loads.count }

  /// Waits until so many loads have begun, and gives the last of them.
  func load(at index: Int) async -> Load {
    await loads.elements(atLeast: index + 1)[index]
  }

  @concurrent
  func load(_ parameters: Parameters, reporting events: LoadEvents<Output>) async throws -> Output {
    let load = Load(parameters, events)
    return try await withTaskCancellationHandler {
      // Recorded where a cancellation is heard at once.
      loads.record(load)
      switch await load.answer.outcome {
      case .success(let output): return output
      case .failure(let error): throw error
      case .cancelled: throw CancellationError()
      }
    } onCancel: {
      load.cancel(andEnd: heedsCancellation)
    }
  }
}

extension LoadEvents where Output == String {
  /// Writes down what is reported: fractions as numbers, early values as they are.
  static func recording(_ recorder: Recorder<String>) -> LoadEvents {
    LoadEvents(
      onProgress: { progress in
        switch progress {
        case .indeterminate: recorder.record("indeterminate")
        case .fraction(let part): recorder.record("\(part)")
        }
      },
      onEarlyValue: { recorder.record($0) })
  }
}
