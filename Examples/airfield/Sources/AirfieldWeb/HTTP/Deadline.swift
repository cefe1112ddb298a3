import Fieldstone
import Synchronization

/// The time until which a client must have done what is awaited of it; it moves on.
final class Deadline: Sendable {
  private struct State {
    var uptime: Duration?
    var isWithinRequest = false
  }

  private let state: Mutex<State>

  init(_ uptime: Duration) {
    state = Mutex(State(uptime: uptime))
  }

  /// Whether it is a request that is awaited the rest of.
  var isWithinRequest: Bool { state.withLock { $0.isWithinRequest } }

  /// Sets another time; nil for none.
  func set(_ uptime: Duration?, isWithinRequest: Bool = false) {
    state.withLock { state in
      state.uptime = uptime
      state.isWithinRequest = isWithinRequest
    }
  }

  /// Whether the time has come.
  func isPassed(_ time: TimeSource) -> Bool {
    state.withLock { $0.uptime }.map { time.uptime >= $0 } ?? false
  }

  /// Returns when the time has come, or the task is cancelled.
  ///
  /// A nearer time may be set meanwhile, so it looks again every two seconds: that is how late it
  /// can be.
  func passed(_ time: TimeSource) async {
    while !Task.isCancelled, !isPassed(time) {
      let soon = time.uptime + .seconds(2)
      let next = state.withLock { $0.uptime }.map { min($0, soon) } ?? soon
      guard (try? await time.sleep(untilUptime: next)) != nil else { return }
    }
  }
}
