import Dispatch

/// Runs code on the main actor from code that is not asynchronous. (Seed: Mold's dispatcher.)
///
/// Asynchronous code has no need of it: there, `await` a `@MainActor` function.
public enum MainDispatch {
  /// Whether the current code runs on the main queue.
  ///
  /// The queue is asked and not the thread: on Linux the main actor may run on any thread.
  public static var isOnMain: Bool {
    registerKey
    return DispatchQueue.getSpecific(key: key) != nil
  }

  /// Runs a body on the main actor and waits for it: in place when already there.
  ///
  /// It never deadlocks by itself. Two threads that wait for each other still do: do not call it
  /// while the main thread waits for the thread that calls it.
  ///
  /// - Throws: what the body throws.
  public static func sync<Result: Sendable>(
    _ body: @MainActor () throws -> Result
  ) rethrows -> Result {
    if isOnMain { return try MainActor.assumeIsolated(body) }
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
}
