public import FieldstoneCore
public import Observation

/// A call of a list: something to cancel and to await.
///
/// It ends exactly once. It need not be kept: releasing it cancels nothing. Calls that share a page
/// are counted: a cancelled call leaves at once, and the load is stopped when its last caller has
/// left. Reads of ``currentOutcome`` are tracked.
@MainActor
public final class ListCall: Observable {
  private var handle = CallHandle<PageReport>()
  private var leave: (@MainActor () -> Void)?

  init(_ trace: ActivityTrace?) {
    handle.follow(trace)
    handle.start(waiting: false)
  }

  /// Cancels the call; a no-op when it has ended.
  ///
  /// Items, cursors and earlier errors are left as they were.
  public func cancel() {
    leave?()
  }

  /// How the call ended, or nil while it has not.
  public var currentOutcome: Outcome<PageReport>? {
    handle.trackedOutcome()
  }

  /// How the call ended, once it has; waits for that also when the waiting task is cancelled.
  public var outcome: Outcome<PageReport> {
    get async { await handle.ending().outcome }
  }

  /// The report of the load, once it has ended.
  ///
  /// - Throws: the error of a failure; ``/FieldstoneCore/CallCancelled`` when the call was
  ///   cancelled; `CancellationError` at once when the task that waits is cancelled, while the call
  ///   goes on.
  public var value: PageReport {
    get async throws { try await handle.ending().value }
  }

  /// Says how to cancel the call, while it is under way.
  func onCancel(_ leave: @escaping @MainActor () -> Void) {
    if handle.isUnderWay { self.leave = leave }
  }

  /// Ends the call, unless it has ended.
  func end(with outcome: Outcome<PageReport>) {
    guard handle.end(with: outcome) else { return }
    leave = nil
    handle.notifyObservers()
  }
}
