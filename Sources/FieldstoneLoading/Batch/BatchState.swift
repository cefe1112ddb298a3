import FieldstoneCore

/// The transitions of a batch, without a lock or a task: what starts next, and what it came to.
struct BatchState<Output: Sendable>: Sendable {
  private let bound: Int
  private let failsFast: Bool
  private var next = 0
  private var runningCount = 0
  private var endedCount = 0
  private var outcomes: [Outcome<Output>?]

  /// The end that stopped it before all had ended.
  private var stop: Outcome<[Outcome<Output>]>?

  init(count: Int, bound: Int, failsFast: Bool) {
    self.bound = max(1, bound)
    self.failsFast = failsFast
    outcomes = Array(repeating: nil, count: count)
  }

  /// The part that has ended, from 0 to 1.
  var fraction: Double {
    outcomes.isEmpty ? 1 : Double(endedCount) / Double(outcomes.count)
  }

  /// What the batch came to; nil while it is under way.
  var outcome: Outcome<[Outcome<Output>]>? {
    stop ?? (endedCount == outcomes.count ? .success(outcomes.compactMap { $0 }) : nil)
  }

  /// Whether one has ended; not asked after a stop.
  func hasEnded(_ index: Int) -> Bool { outcomes[index] != nil }

  /// Takes the one whose turn it is, if one may start.
  mutating func startNext() -> Int? {
    guard stop == nil, runningCount < bound, next < outcomes.count else { return nil }
    defer { next += 1 }
    runningCount += 1
    return next
  }

  /// Takes what one came to.
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

  /// Starts nothing more.
  mutating func cancel() {
    if outcome == nil { stop = .cancelled(.caller) }
  }
}
