import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting

/// A process of a trial, as far as it can be killed.
final class TrialProcess: Sendable {
  private struct State {
    var isKilled = false
    var failure: (any Error)?
    var isOver = false
  }

  /// The first is 0.
  let number: Int
  private let state = Locked(State())
  private let release = Gate()

  init(number: Int) {
    self.number = number
  }

  var isKilled: Bool { state.withLock { $0.isKilled } }
  /// Whether its runner has returned.
  var isOver: Bool { state.withLock { $0.isOver } }
  /// Why its runner has returned by itself.
  var failure: (any Error)? { state.withLock { $0.failure } }

  func kill() {
    state.withLock { $0.isKilled = true }
  }

  /// Lets what is left of it come to its end, now that nobody looks at the world any more.
  func letGo() {
    kill()
    release.open()
  }

  func end(with failure: (any Error)?) {
    state.withLock { state in
      state.isOver = true
      state.failure = failure
    }
  }

  /// Whether the process is alive; after a kill it answers no sooner than the process is let go.
  func goesOn() async -> Bool {
    guard isKilled else { return true }
    await release.wait()
    return false
  }
}

/// The work of a stage that is under way.
struct TrialWork: Sendable {
  let number: Int
  let place: FlowTrialStage.Place
  let process: TrialProcess

  /// What the current task works on.
  @TaskLocal static var current: TrialWork?
}
