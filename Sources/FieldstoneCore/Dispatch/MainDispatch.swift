import Dispatch
import Foundation

#if !canImport(Darwin)
  import Synchronization
#endif

/// Runs code on the main actor from synchronous code. (Seed: Mold's dispatcher.)
///
/// Asynchronous code doesn't need it: `await` a `@MainActor` function instead. `@concurrent` leaves
/// the main actor: on a function that is awaited, or as `Task { @concurrent in }` from synchronous
/// code.
public enum MainDispatch {
  /// Whether the current code runs on the main queue or on the main thread.
  ///
  /// On Linux the main actor may run on any thread, so this checks the queue, too. Within
  /// `queue.sync { }` it is true on the main thread, and false on any other thread that runs the
  /// main actor.
  public static var isOnMain: Bool {
    registerKey
    return DispatchQueue.getSpecific(key: key) != nil || Thread.isMainThread
  }

  /// Runs a body on the main actor and waits for it; in place if it is already there.
  ///
  /// It also runs in place within a `queue.sync { }` of the main actor, of a handler, or of a body
  /// of `MainDispatch`. It never deadlocks by itself. Two threads that wait for each other still do:
  /// do not call it while the main thread waits for the calling thread.
  ///
  /// On Linux an asynchronous `main()` has no main thread. There, one case can't be detected: a
  /// block of `DispatchQueue.main.async` that calls it within a `queue.sync { }`. Dispatch stops
  /// the program in this case; use ``async(_:)`` instead of such a block.
  ///
  /// - Throws: the body's error.
  public static func sync<Result: Sendable>(
    _ body: @MainActor () throws -> Result
  ) rethrows -> Result {
    #if !canImport(Darwin)
      if isInBody { return try runUnchecked(body) }
    #endif
    if isOnMain || isInJobOfMainActor { return try MainActor.assumeIsolated(body) }
    return try DispatchQueue.main.sync { try run(body) }
  }

  /// Runs a body on the main actor later, in the order of the calls, without waiting for it.
  public static func async(_ body: @escaping @MainActor @Sendable () -> Void) {
    DispatchQueue.main.async { run(body) }
  }

  /// Runs a body on the main actor: in place if it is already there, otherwise later.
  ///
  /// Use it in a `deinit`, which any thread may run. An `isolated deinit` in a generic class
  /// crashes the optimiser before Swift 6.4 if the deployment target is below macOS 15.4 or iOS
  /// 18.4.
  package static func inPlaceOrLater(_ body: @escaping @MainActor @Sendable () -> Void) {
    if isOnMain { MainActor.assumeIsolated(body) } else { async(body) }
  }

  private static let key = DispatchSpecificKey<Void>()
  private static let registerKey: Void = DispatchQueue.main.setSpecific(key: key, value: ())

  #if canImport(Darwin)
    // On Darwin the main actor runs on the main thread.
    private static var isInJobOfMainActor: Bool { false }

    private static func run<Result: Sendable>(
      _ body: @MainActor () throws -> Result
    ) rethrows -> Result {
      try MainActor.assumeIsolated(body)
    }
  #else
    /// Set on a thread while a block of the main queue runs a body on it.
    private static let bodySlot = ThreadSlot()

    /// Whether such a block runs on this thread, further up the stack.
    private static var isInBody: Bool { bodySlot.pointer != nil }

    /// Runs a body from a block of the main queue.
    private static func run<Result: Sendable>(
      _ body: @MainActor () throws -> Result
    ) rethrows -> Result {
      // A body that runs a run loop lets other blocks in.
      let outer = bodySlot.pointer
      bodySlot.pointer = UnsafeMutableRawPointer(bitPattern: 1)
      defer { bodySlot.pointer = outer }
      return try MainActor.assumeIsolated(body)
    }

    /// Runs a body whose isolation the runtime can't tell, within `queue.sync { }` of another body.
    private static func runUnchecked<Result>(
      _ body: @MainActor () throws -> Result
    ) rethrows -> Result {
      try withoutActuallyEscaping(body) { body in
        try unsafeBitCast(body, to: (() throws -> Result).self)()
      }
    }

    /// Whether a job of the main actor runs on this thread, further up the stack.
    ///
    /// Within `queue.sync { }` neither the queue nor the thread tells. An immediate task does: it
    /// begins in place if the runtime is on the main actor, and otherwise later, on another thread.
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
