import Synchronization

/// A value that is set on the main actor and read by work off it.
final class Locked<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) {
    state = Mutex(value)
  }

  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
