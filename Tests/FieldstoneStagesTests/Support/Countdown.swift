import FieldstoneStages

/// Counts down to zero, one stage a number, and completes with how many stages there were.
enum Countdown: Stage, Hashable, Codable {
  case at(Int, passed: Int)

  static func from(_ count: Int) -> Self { .at(count, passed: 0) }

  func next() async throws -> Step<Self, Int> {
    switch self {
    case .at(0, let passed): .complete(passed)
    case .at(let count, let passed): .advance(to: .at(count - 1, passed: passed + 1))
    }
  }
}

/// The same without suspending.
enum SynchronousCountdown: SynchronousStage, Hashable, Codable {
  case at(Int, passed: Int)

  static func from(_ count: Int) -> Self { .at(count, passed: 0) }

  func next() throws -> Step<Self, Int> {
    switch self {
    case .at(0, let passed): .complete(passed)
    case .at(let count, let passed): .advance(to: .at(count - 1, passed: passed + 1))
    }
  }
}
