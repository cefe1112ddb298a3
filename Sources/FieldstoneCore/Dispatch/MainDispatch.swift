import Dispatch
import Foundation

#if !canImport(Darwin)
  import Synchronization
#endif

/// Runs code on the main actor from code that is not asynchronous. (Seed: Mold's dispatcher.)
///
/// Asynchronous code has no need of it: there, `await` a `@MainActor` function. `@concurrent`
/// leaves the main actor: on a function that is awaited, or as `Task { @concurrent in }` from
/// synchronous code.
public enum MainDispatch {
  /// Whether the current code runs on the main queue or on the main thread.
  ///
  /// On Linux the main actor may run on any thread: there the queue is asked, too. Within
  /// `queue.sync { }` it is true on the main thread, and false on another thread that the main
  /// actor runs on.
  public static var isOnMain: Bool {
    registerKey
    return DispatchQueue.getSpecific(key: key) != nil || Thread.isMainThread
  }

  /// Runs a body on the main actor and waits for it; in place when already there.
  ///
  /// It runs in place also within a `queue.sync { }` of the main actor. It never deadlocks by
  /// itself. Two threads that wait for each other still do: do not call it while the main thread
  /// waits for the thread that calls it.
  ///
  /// On Linux an asynchronous `main()` has no main thread. There, one case can't be detected: a
  /// block of `DispatchQueue.main.async` that calls it within a `queue.sync { }`. Dispatch stops
  /// the program there; use a `Task` on the main actor in place of such a block.
  ///
  /// - Throws: the body's error.
  public static func sync<Result: Sendable>(
    _ body: @MainActor () throws -> Result
  ) rethrows -> Result {
    if isOnMain || isInJobOfMainActor { return try MainActor.assumeIsolated(body) }
    return try DispatchQueue.main.sync { try MainActor.assumeIsolated(body) }
  }

  /// Runs a body on the main actor later, in the order of the calls, without waiting for it.
  public static func async(_ body: @escaping @MainActor @Sendable () -> Void) {
    DispatchQueue.main.async { MainActor.assumeIsolated(body) }
  }

  /// Runs a body on the main actor: in place when already there, and otherwise later.
  ///
  /// It is for a `deinit`, which any thread may run. An `isolated deinit` in a generic class crashes
  /// the optimiser before Swift 6.4 where the deployment target is below macOS 15.4 and iOS 18.4.
  package static func inPlaceOrLater(_ body: @escaping @MainActor @Sendable () -> Void) {
    if isOnMain { MainActor.assumeIsolated(body) } else { async(body) }
  }

  private static let key = DispatchSpecificKey<Void>()
  private static let registerKey: Void = DispatchQueue.main.setSpecific(key: key, value: ())

  #if canImport(Darwin)
    // The main actor runs on the main thread there.
    private static var isInJobOfMainActor: Bool { false }
  #else
    /// Whether a job of the main actor runs on this thread, further up the stack.
    ///
    /// Within `queue.sync { }` the queue does not tell it any more, and the thread may be any. An
    /// immediate task begins in place where the runtime sees that it is on the main actor.
    /// Elsewhere it begins later, on another thread.
    private static var isInJobOfMainActor: Bool {
      let caller = thread
      let runner = Runner()
      Task.immediate { @MainActor in runner.thread.store(thread, ordering: .relaxed) }
      return runner.thread.load(ordering: .relaxed) == caller
    }

    private static var thread: UInt { UInt(bitPattern: ObjectIdentifier(Thread.current)) }

    private final class Runner: Sendable {
      let thread = Atomic<UInt>(0)
    }
  #endif
}
