import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting

/// A provider whose loads are answered by hand.
final class HandProvider<Parameters: Sendable, Output: Sendable>: DataProvider {
  /// A load that waits for its answer.
  final class Load: Sendable {
    let parameters: Parameters
    let events: LoadEvents<Output>
    /// Whether it ran on the main actor.
    let wasOnMain: Bool
    private let answer = OutcomePromise<Output>()
    private let cancellations = Recorder<Bool>()

    init(_ parameters: Parameters, _ events: LoadEvents<Output>) {
      self.parameters = parameters
      self.events = events
      wasOnMain = MainDispatch.isOnMain
    }

    func succeed(_ value: Output) { answer.end(with: .success(value)) }
    func fail(_ error: any Error) { answer.end(with: .failure(error)) }

    /// Waits until its task is cancelled.
    func cancellation() async { await cancellations.elements(atLeast: 1) }
    var isCancelled: Bool { cancellations.count > 0 }

    fileprivate func wait(heeding: Bool) async throws -> Output {
      try await withTaskCancellationHandler {
        heeding ? try await answer.value : try await answer.outcome.get()
      } onCancel: {
        cancellations.record(true)
      }
    }
  }

  private let heedsCancellation: Bool
  private let arrivals = Recorder<Load>()
  private let isClosed = Locked(false)

  init(heedsCancellation: Bool = true) {
    self.heedsCancellation = heedsCancellation
  }

  var loadCount: Int { arrivals.count }

  /// Waits for the load with a number; the first is 0.
  func load(_ number: Int) async -> Load {
    await arrivals.elements(atLeast: number + 1)[number]
  }

  /// Answers what is left and what still comes: a load without an answer never lets go of anything.
  func close() {
    isClosed.withLock { $0 = true }
    for load in arrivals.elements { load.fail(CancellationError()) }
  }

  @concurrent
  func load(
    _ parameters: Parameters, reporting events: LoadEvents<Output>
  ) async throws -> Output {
    let load = Load(parameters, events)
    arrivals.record(load)
    if isClosed.withLock({ $0 }) { load.fail(CancellationError()) }
    return try await load.wait(heeding: heedsCancellation)
  }
}

/// An error with a number.
struct Trouble: Error, Equatable {
  var number = 0
}

/// A provider that answers at once.
struct Doubling: DataProvider {
  @concurrent
  func load(_ number: Int, reporting events: LoadEvents<Int>) async throws -> Int { number * 2 }
}

/// A provider that fails at once.
struct Failing: DataProvider {
  @concurrent
  func load(_ number: Int, reporting events: LoadEvents<Int>) async throws -> Int {
    throw Trouble(number: number)
  }
}

extension Outcome {
  /// The outcome as text, to compare with.
  var text: String {
    switch self {
    case .success(let value): "success \(value)"
    case .failure(let error as Trouble): "failure \(error.number)"
    case .failure(PaginatedListError.cursorLoop): "failure cursorLoop"
    case .failure(let error): "failure \(error)"
    case .cancelled(let reason): "cancelled \(reason)"
    }
  }
}

extension LoadPhase {
  /// The phase as text, to compare with.
  var text: String {
    func known(_ value: Value?) -> String { value.map { " \($0)" } ?? "" }
    switch self {
    case .idle: return "idle"
    case .loading(let previous): return "loading" + known(previous)
    case .loaded(let value): return "loaded \(value)"
    case .failed(let error, let previous):
      return "failed \((error as? Trouble)?.number ?? -1)" + known(previous)
    }
  }
}

extension CallHandling {
  /// Writes down everything that is heard.
  consuming func recording(in log: Recorder<String>, as name: String = "") -> Self {
    let prefix = name.isEmpty ? "" : name + " "
    return onBeginning { log.record(prefix + "beginning") }
      .onProgress { log.record(prefix + "progress \($0)") }
      .onEarlyValue { log.record(prefix + "early \($0)") }
      .onRetry { log.record(prefix + "retry \($0.attempt)") }
      .onSuccess { log.record(prefix + "success \($0)") }
      .onError { log.record(prefix + "error \(($0 as? Trouble)?.number ?? -1)") }
      .onCompletion { log.record(prefix + "completion \($0.text)") }
  }
}
