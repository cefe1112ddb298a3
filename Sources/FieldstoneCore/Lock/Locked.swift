#if TSAN
  // Under contention the thread sanitizer misreads `Mutex`: the lanes that run it use `NSLock`.
  import Foundation
#else
  import Synchronization
#endif

/// A value that is only ever touched while its lock is held.
///
/// The one lock type of Fieldstone. Its body gets the value and gives a result; it never calls
/// users' code, so that no handler can run under a lock.
///
/// `@unchecked Sendable` is right here and nowhere else: the state is private, and each access
/// goes through `withLock`.
package final class Locked<State>: @unchecked Sendable {
  #if TSAN
    private let lock = NSLock()
    // With a byte beside it: an empty state at the end of the object has the address of what comes
    // after the object, and the sanitizer saw the two race.
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
    // Apart from the state: a mutex of a generic type would be looked up at every access.
    private let mutex = Mutex(())
    @exclusivity(unchecked) private var state: State

    package init(_ state: sending State) {
      self.state = state
    }

    /// Runs `body` with the value, alone.
    package func withLock<Result, Failure: Error>(
      _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      try mutex.withLock { (_) throws(Failure) -> sending Result in
        try body(&state)
      }
    }
  #endif
}
