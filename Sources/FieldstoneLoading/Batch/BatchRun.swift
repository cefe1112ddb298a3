import FieldstoneCore

/// The shell of one batch under way: it starts tasks and reports the end, outside its lock.
///
/// The tasks are not children of the caller's task, so the batch does not wait for a task that
/// ignores its cancellation.
final class BatchRun<Base: DataProvider>: Sendable {
  fileprivate struct Protected {
    var batch: BatchState<Base.Output>
    var tasks: [Int: Task<Void, Never>] = [:]
    var news = DeliveryLine<News>()
    var isCancelled = false
  }

  /// The progress, with the end in the last element; one element holds both, so that the end never
  /// precedes its progress.
  fileprivate struct News: Sendable {
    let fraction: Double
    let end: Outcome<[Outcome<Base.Output>]>?
  }

  private let base: Base
  private let parameters: [Base.Parameters]
  private let events: @Sendable (LoadProgress) -> Void
  private let promise = OutcomePromise<[Outcome<Base.Output>]>()
  private let state: Locked<Protected>

  init(
    _ base: Base, _ parameters: [Base.Parameters], bound: Int, failsFast: Bool,
    onProgress: @escaping @Sendable (LoadProgress) -> Void
  ) {
    self.base = base
    self.parameters = parameters
    events = onProgress
    state = Locked(
      Protected(
        batch: BatchState(count: parameters.count, bound: bound, failsFast: failsFast)))
  }

  /// Runs all loads to their end; cancelling the task cancels them all without waiting.
  func outcomes() async throws -> [Outcome<Base.Output>] {
    try Task.checkCancellation()
    if parameters.isEmpty { return [] }
    startWhatMay()
    do {
      return try await promise.value
    } catch {
      cancel()
      throw error
    }
  }

  private func startWhatMay() {
    while let index = state.withLock({ $0.batch.startNext() }) {
      let task = Task { @concurrent in
        let outcome = await self.base.outcome(
          of: self.parameters[index], reporting: LoadEvents())
        self.ended(index, with: outcome)
      }
      let isTooLate = state.withLock { state in
        if state.batch.hasEnded(index) { return false }
        state.tasks[index] = task
        return state.isCancelled
      }
      if isTooLate { task.cancel() }
    }
  }

  private func ended(_ index: Int, with outcome: Outcome<Base.Output>) {
    state.withLock { state in
      let wasOver = state.batch.outcome != nil
      state.batch.ended(index, with: outcome)
      state.tasks[index] = nil
      if !wasOver {
        state.news.append(News(fraction: state.batch.fraction, end: state.batch.outcome))
      }
    }
    startWhatMay()
    tell()
  }

  /// Reports the progress and then the end, one at a time, from any thread.
  private func tell() {
    guard state.withLock({ $0.news.begin() }) else { return }
    while let news = state.withLock({ $0.isCancelled ? nil : $0.news.next() }) {
      events(.fraction(news.fraction))
      if let end = news.end { promise.end(with: end) }
    }
  }

  private func cancel() {
    let tasks = state.withLock { state in
      state.isCancelled = true
      state.batch.cancel()
      defer { state.tasks = [:] }
      return state.tasks.valuesInOrder
    }
    for task in tasks { task.cancel() }
  }
}

/// The transitions of a batch, without a lock or a task: the next load to start, and the outcomes.
///
/// It schedules loads and is not a call: the end of the batch is an `OutcomePromise`.
struct BatchState<Output: Sendable>: Sendable {
  private let bound: Int
  private let failsFast: Bool
  private var next = 0
  private var runningCount = 0
  private var endedCount = 0
  private var outcomes: [Outcome<Output>?]

  /// The outcome that stopped the batch early.
  private var stop: Outcome<[Outcome<Output>]>?

  init(count: Int, bound: Int, failsFast: Bool) {
    self.bound = max(1, bound)
    self.failsFast = failsFast
    outcomes = Array(repeating: nil, count: count)
  }

  /// The fraction of loads that have ended, from 0 to 1.
  var fraction: Double {
    outcomes.isEmpty ? 1 : Double(endedCount) / Double(outcomes.count)
  }

  /// The outcome of the batch; nil while it is under way.
  var outcome: Outcome<[Outcome<Output>]>? {
    stop ?? (endedCount == outcomes.count ? .success(outcomes.compactMap { $0 }) : nil)
  }

  /// Whether a load has ended; not valid after a stop.
  func hasEnded(_ index: Int) -> Bool { outcomes[index] != nil }

  /// Starts the next load if the bound allows it, and returns its index.
  mutating func startNext() -> Int? {
    guard stop == nil, runningCount < bound, next < outcomes.count else { return nil }
    defer { next += 1 }
    runningCount += 1
    return next
  }

  /// Records the outcome of a load.
  mutating func ended(_ index: Int, with outcome: Outcome<Output>) {
    runningCount -= 1
    guard stop == nil else { return }
    outcomes[index] = outcome
    endedCount += 1
    guard failsFast else { return }
    switch outcome {
    case .success: break
    case .failure(let error): stop = .failure(error)
    case .cancelled(let reason): stop = .cancelled(reason)
    }
  }

  /// Cancels the batch; no further load starts.
  mutating func cancel() {
    if outcome == nil { stop = .cancelled(.caller) }
  }
}
