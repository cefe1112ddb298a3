import Synchronization

/// The code that the airport under edit has, which it may keep; read off the main actor.
final class EditedCode: Sendable {
  private let state: Mutex<String?>

  init(_ code: String?) {
    state = Mutex(code)
  }

  var code: String? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
