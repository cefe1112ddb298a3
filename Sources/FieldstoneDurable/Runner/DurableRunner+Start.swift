import FieldstoneCore
public import FieldstoneStages
import Foundation

extension DurableRunner {
  /// Puts a new run into the journal, which some runner then works on.
  ///
  /// Of very many starts at once only some hundred are written at the same time; the others wait in
  /// turn.
  ///
  /// - Parameters:
  ///   - stage: where it begins.
  ///   - key: no two runs of the flow have the same. If there is one with this key,
  ///     ``RunOptions/ifTaken`` says what is done: unless given, that one is returned, in whatever
  ///     state it is, and nothing is started. One that is *blocked* is made ready, to be read by the
  ///     next claim, unless a newer version wrote it.
  ///   - options: when the run begins, and which runs go before it.
  ///   - flow: names the flow; needed only where several have this type of stage.
  /// - Throws: ``DurableRunnerError/notRegistered(stage:)``, ``JournalError``, `EncodingError`.
  @discardableResult
  public func start<Work: ContextualStage & Codable>(
    _ stage: Work, key: String? = nil, options: RunOptions = RunOptions(), flow: String? = nil
  ) async throws -> RunHandle<Work.Completion> where Work.Completion: Codable {
    // Here, and not a function further in: each that waits holds what its functions need.
    await startGate.enter()
    defer { startGate.leave() }
    return handle(try await start(stage, key: key, options: options, flowName: flow))
  }

  /// Puts a new run into the journal, which some runner then works on.
  ///
  /// Of very many starts at once only some hundred are written at the same time; the others wait in
  /// turn.
  ///
  /// - Parameters:
  ///   - stage: where it begins.
  ///   - key: no two runs of the flow have the same. If there is one with this key,
  ///     ``RunOptions/ifTaken`` says what is done: unless given, that one is returned, in whatever
  ///     state it is, and nothing is started. One that is *blocked* is made ready, to be read by the
  ///     next claim, unless a newer version wrote it.
  ///   - options: when the run begins, and which runs go before it.
  ///   - flow: names the flow; needed only where several have this type of stage.
  /// - Throws: ``DurableRunnerError/notRegistered(stage:)``, ``JournalError``, `EncodingError`.
  @discardableResult
  public func start<Work: DurableStage>(
    _ stage: Work, key: String? = nil, options: RunOptions = RunOptions(), flow: String? = nil
  ) async throws -> RunHandle<Work.Completion> {
    // Here, and not a function further in: each that waits holds what its functions need.
    await startGate.enter()
    defer { startGate.leave() }
    return handle(try await start(stage, key: key, options: options, flowName: flow))
  }

  /// A run that is in the journal already, or was; nothing is looked up until the handle is used.
  public func handle<Completion: Codable & Sendable>(
    _ id: RunID, completion: Completion.Type = Completion.self
  ) -> RunHandle<Completion> {
    RunHandle(id: id, runner: self)
  }

  private func start<Work: Encodable & Sendable>(
    _ stage: Work, key: String?, options: RunOptions, flowName: String?
  ) async throws -> RunID {
    let flow = try requests.flow(of: Work.self, named: flowName)
    let request = try requests.start(stage, key: key, options: options, flow: flow.name)
    let now = JournalTime(time, boot: self.options.boot)
    let record = try await journal.start(request, at: now)
    // Or a waiting handle would hear that it is blocked, just before the runner frees it. It is read
    // by a claim only, which counts the crash if that ends the process.
    if flow.mayFree(record) { try await journal.free(record.id, at: now) }
    emit(.started, flow: flow.name, run: record.id)
    nudge(record.id)
    return record.id
  }
}

/// Lets so many starts in at the same time, the others in turn: each holds its stage as JSON until
/// it is written.
final class StartGate: Sendable {
  private struct State {
    var places: Int
    var waiting = FIFO<CheckedContinuation<Void, Never>>()

    mutating func takePlace() -> Bool {
      guard places > 0 else { return false }
      places -= 1
      return true
    }
  }

  private let state: Locked<State>

  init(places: Int) {
    state = Locked(State(places: places))
  }

  func enter() async {
    if state.withLock({ $0.takePlace() }) { return }
    await withCheckedContinuation { continuation in
      let isIn = state.withLock { state in
        if state.takePlace() { return true }
        state.waiting.append(continuation)
        return false
      }
      if isIn { continuation.resume() }
    }
  }

  func leave() {
    // The place goes from one to the other, so that none comes in between.
    let next = state.withLock { state in
      let next = state.waiting.popFirst()
      if next == nil { state.places += 1 }
      return next
    }
    next?.resume()
  }
}

extension DurableRunner {
  /// Removes runs that are over and older than the retention; the runner never does so by itself.
  ///
  /// Call it now and then, once a day perhaps. Only one process needs to. A key whose run is gone can
  /// be started again.
  ///
  /// - Returns: how many runs went.
  /// - Throws: ``JournalError``.
  @discardableResult
  public func purge(_ retention: JournalRetention = JournalRetention()) async throws -> Int {
    try await journal.purge(retention, at: JournalTime(time, boot: options.boot))
  }
}
