import FieldstoneCore
import FieldstoneLoading

/// What one load reported, as far as promises are concerned.
final class LoadLog<Output: Sendable>: Sendable {
  private struct State {
    var isOver = false
    var lateCount = 0
    var latest = 0.0
    var fall: Fall?
  }

  struct Fall: Sendable {
    let from: Double
    let to: Double
  }

  private let state = Locked(State())

  var isOver: Bool { state.withLock { $0.isOver } }
  var lateCount: Int { state.withLock { $0.lateCount } }
  var fall: Fall? { state.withLock { $0.fall } }

  var events: LoadEvents<Output> {
    LoadEvents(
      onProgress: { progress in
        self.state.withLock { state in
          if state.isOver { state.lateCount += 1 }
          guard case .fraction(let part) = progress else { return }
          if part < state.latest, state.fall == nil {
            state.fall = Fall(from: state.latest, to: part)
          }
          state.latest = part
        }
      },
      onEarlyValue: { _ in
        self.state.withLock { state in
          if state.isOver { state.lateCount += 1 }
        }
      })
  }

  func end() {
    state.withLock { $0.isOver = true }
  }
}
