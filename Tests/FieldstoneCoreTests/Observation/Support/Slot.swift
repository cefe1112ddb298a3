import FieldstoneCore

/// One value that handlers on any thread may put in and take out.
final class Slot<Value: Sendable>: Sendable {
  private let state: Locked<Value?>

  init(_ value: Value? = nil) { state = Locked(value) }

  var value: Value? {
    get { state.withLock { $0 } }
    set {
      // What was in it goes outside the lock.
      let old = state.withLock { state in
        let old = state
        state = newValue
        return old
      }
      withExtendedLifetime(old) {}
    }
  }
}
