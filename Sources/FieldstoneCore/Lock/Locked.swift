#if TSAN
  // The thread sanitizer misreports `Mutex` under contention, so its lanes use `NSLock`.
  import Foundation
#else
  import Synchronization
#endif

/// A value that is accessed only while its lock is held.
///
/// It is the only lock type of Fieldstone. A body receives the value and returns a result. It never
/// calls users' code, so no handler runs under a lock.
///
/// `@unchecked Sendable` is correct here: the state is private, and each access goes through
/// `withLock`.
package final class Locked<State>: @unchecked Sendable {
  #if TSAN
    private let lock = NSLock()
    // The extra byte avoids a false report: an empty state at the end of the object would share its
    // address with the memory after the object.
    private var state: (State, UInt8)

    package init(_ state: sending State) {
      self.state = (state, 0)
    }

    package func withLock<Result, Failure: Error>(
      _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      lock.lock()
      defer { lock.unlock() }
      return try body(&state.0)
    }
  #else
    // Separate from the state: a mutex of a generic type would be looked up at every access.
    private let mutex = Mutex(())
    @exclusivity(unchecked) private var state: State

    package init(_ state: sending State) {
      self.state = state
    }

    /// Runs `body` with exclusive access to the value.
    package func withLock<Result, Failure: Error>(
      _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      try mutex.withLock { (_) throws(Failure) -> sending Result in
        try body(&state)
      }
    }
  #endif
}

extension Locked where State: Sendable {
  /// Replaces the value.
  ///
  /// - Returns: the value before, so that it is released after the lock: a `deinit` in it may be
  ///   users' code.
  package func exchange(_ state: State) -> State {
    withLock { present in
      let before = present
      present = state
      return before
    }
  }
}
