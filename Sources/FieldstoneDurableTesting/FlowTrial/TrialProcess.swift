import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting

/// A process of a trial, which can be killed.
final class TrialProcess: Sendable {
  private struct State {
    var isKilled = false
    var failure: (any Error)?
    var isOver = false
  }

  /// The number of the process; the first is 0.
  let number: Int
  private let state = Locked(State())
  private let release = Gate()

  init(number: Int) {
    self.number = number
  }

  var isKilled: Bool { state.withLock { $0.isKilled } }
  /// Whether its runner has returned.
  var isOver: Bool { state.withLock { $0.isOver } }
  /// The error with which its runner has returned by itself.
  var failure: (any Error)? { state.withLock { $0.failure } }

  func kill() {
    state.withLock { $0.isKilled = true }
  }

  /// Ends the rest of the process, when the world is no longer examined.
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

  /// Whether the process is alive; after a kill it returns only when the process is let go.
  func goesOn() async -> Bool {
    guard isKilled else { return true }
    await release.wait()
    return false
  }
}

/// The work of a stage in progress.
struct TrialWork: Sendable {
  let number: Int
  let place: FlowTrialStage.Place
  let process: TrialProcess

  /// The work of the current task.
  @TaskLocal static var current: TrialWork?
}
