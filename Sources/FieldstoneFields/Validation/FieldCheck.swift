import FieldstoneCore

/// Asynchronous rules being asked about one value.
///
/// It is what leaves the field's isolation: the field keeps it to cancel it, and the task that runs
/// it brings the answer back.
final class FieldCheck: Sendable {
  /// One question: the debounce before it and the rule with its value.
  struct Question: Sendable {
    let debounce: Duration
    /// The item that it is about, of an array.
    let item: FieldItemID?
    let ask: @Sendable () async -> [FieldIssue]?
  }

  /// The answer to one question.
  struct Answer: Sendable {
    let item: FieldItemID?
    let issues: [FieldIssue]
  }

  private let task: Task<Void, Never>
  private let naps: Naps
  private let waits: [Duration]
  private let begunAt: Duration
  private let time: TimeSource
  private let promise: OutcomePromise<[Answer]>

  /// How many questions are asked at once: an array may have any number of items.
  private static var width: Int { 8 }

  /// Begins to ask.
  ///
  /// - Parameters:
  ///   - questions: what to ask, each after its debounce.
  ///   - isDebounced: whether to wait before asking.
  init(_ questions: [Question], isDebounced: Bool, time: TimeSource) {
    let naps = Naps(isOver: !isDebounced)
    let promise = OutcomePromise<[Answer]>()
    self.naps = naps
    self.promise = promise
    self.time = time
    waits = isDebounced ? questions.map(\.debounce).filter { $0 > .zero } : []
    let begunAt = waits.isEmpty ? .zero : time.uptime
    self.begunAt = begunAt
    task = Task {
      let answers = await Self.answers(to: questions, after: naps, since: begunAt, time: time)
      promise.end(with: answers.map { .success($0) } ?? .cancelled(.superseded))
    }
  }

  deinit {
    task.cancel()
  }

  /// Asks at once where it waits for the debounce to be over.
  func flush() {
    naps.end()
  }

  /// Gives the questions up: waiting tasks go on at once.
  func cancel() {
    promise.end(with: .cancelled(.superseded))
    task.cancel()
  }

  /// The debounces that are not over, in the order of the questions.
  var debounces: [RuleStanding.Debounce] {
    guard !waits.isEmpty, !naps.isOver else { return [] }
    let passed = time.uptime - begunAt
    return waits.filter { $0 > passed }.map {
      RuleStanding.Debounce(total: $0, left: $0 - passed)
    }
  }

  /// What is left of a debounce; nil once it is over, or if the questions had none.
  func rest(of debounce: Duration) -> Duration? {
    guard !waits.isEmpty, !naps.isOver else { return nil }
    let left = debounce - (time.uptime - begunAt)
    return left > .zero ? left : nil
  }

  /// The answers, in the order of the questions; nil when they were given up, or the waiting task
  /// was cancelled.
  var answers: [Answer]? {
    get async { try? await promise.value }
  }

  private static func answers(
    to questions: [Question], after naps: Naps, since begunAt: Duration, time: TimeSource
  ) async -> [Answer]? {
    await withTaskGroup(of: (Int, [FieldIssue]?).self) { group in
      var found = [[FieldIssue]?](repeating: nil, count: questions.count)
      var (asked, answered) = (0, 0)
      while answered < questions.count {
        while asked < questions.count, asked - answered < width {
          let (number, question) = (asked, questions[asked])
          group.addTask {
            let end = begunAt + question.debounce
            guard await naps.nap(until: end, time: time) else { return (number, nil) }
            return (number, await question.ask())
          }
          asked += 1
        }
        guard let (number, issues) = await group.next() else { break }
        answered += 1
        found[number] = issues
      }
      var answers: [Answer] = []
      for number in questions.indices {
        guard let issues = found[number] else { return nil }
        answers.append(Answer(item: questions[number].item, issues: issues))
      }
      return answers
    }
  }
}

/// Sleeps that can be ended early, without ending what comes after them.
private final class Naps: Sendable {

  private struct State {
    var isOver: Bool
    var tasks: [Task<Void, Never>] = []
  }

  private let state: Locked<State>

  init(isOver: Bool) {
    state = Locked(State(isOver: isOver))
  }

  /// Sleeps until an uptime, or until all naps are ended.
  ///
  /// - Returns: whether to go on; false when the task was cancelled.
  func nap(until end: Duration, time: TimeSource) async -> Bool {
    let duration = isOver ? .zero : end - time.uptime
    if duration > .zero {
      let nap = Task { _ = try? await time.sleep(for: duration) }
      let isOver = state.withLock { state in
        state.tasks.append(nap)
        return state.isOver
      }
      if isOver { nap.cancel() }
      await withTaskCancellationHandler {
        await nap.value
      } onCancel: {
        nap.cancel()
      }
    }
    return !Task.isCancelled
  }

  /// Whether all of them were ended.
  var isOver: Bool { state.withLock { $0.isOver } }

  func end() {
    let tasks = state.withLock { state in
      state.isOver = true
      return state.tasks
    }
    for task in tasks { task.cancel() }
  }
}
