#if canImport(UIKit) && !os(watchOS)
  import Observation

  /// Reads what is observable and uses it, and does so again after each change of what it has read.
  ///
  /// What `read` reads is to be all that `use` needs. What changes while it is used is heard of;
  /// what changes while it is read is not, so that reading is to change nothing.
  @MainActor
  final class ChangeFollower<Value> {
    private let read: @MainActor () -> Value
    private let use: @MainActor (Value) -> Void
    private var turn = 0

    init(_ read: @escaping @MainActor () -> Value, use: @escaping @MainActor (Value) -> Void) {
      self.read = read
      self.use = use
    }

    /// Reads and uses now, and from now on.
    func follow() {
      turn += 1
      let turn = turn
      let value = withObservationTracking {
        read()
      } onChange: { [weak self] in
        // The change is about to be made: it is there in the main actor's next turn.
        Task { @MainActor in self?.follow(after: turn) }
      }
      use(value)
    }

    private func follow(after turn: Int) {
      // A reader that has read again meanwhile has seen the change, and is notified of the next.
      if turn == self.turn { follow() }
    }
  }
#endif
