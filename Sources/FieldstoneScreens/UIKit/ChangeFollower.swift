#if canImport(UIKit) && !os(watchOS)
  import Observation

  /// Reads observable values and uses them, again after each change of these values.
  ///
  /// The closure `read` reads everything that `use` needs, and changes nothing: a change during
  /// `read` is missed, a change during `use` is not.
  @MainActor
  final class ChangeFollower<Value> {
    private let read: @MainActor () -> Value
    private let use: @MainActor (Value) -> Void
    private var turn = 0

    init(_ read: @escaping @MainActor () -> Value, use: @escaping @MainActor (Value) -> Void) {
      self.read = read
      self.use = use
    }

    /// Reads and uses the values now and after each change.
    func follow() {
      turn += 1
      let turn = turn
      let value = withObservationTracking {
        read()
      } onChange: { [weak self] in
        // The change is made after this, before the main actor's next job.
        Task { @MainActor in self?.follow(after: turn) }
      }
      use(value)
    }

    private func follow(after turn: Int) {
      // A follower that has read again meanwhile has seen the change.
      if turn == self.turn { follow() }
    }
  }
#endif
