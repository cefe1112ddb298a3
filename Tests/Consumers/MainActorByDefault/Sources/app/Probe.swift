import Fieldstone

/// A stage as an app declares it, without a word about isolation; it completes with where its
/// work ran.
enum Probe: Stage {
  case begin
  case look(ranOnMain: [Bool])

  func next() async throws -> Step<Self, [Bool]> {
    switch self {
    case .begin: .advance(to: .look(ranOnMain: [MainQueue.isCurrent]))
    case .look(let ranOnMain): .complete(ranOnMain + [MainQueue.isCurrent])
    }
  }
}

/// The same with work that never suspends.
enum SynchronousProbe: SynchronousStage {
  case begin

  func next() throws -> Step<Self, [Bool]> { .complete([MainQueue.isCurrent]) }
}
