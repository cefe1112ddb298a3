public import FieldstoneCore
public import Observation

/// A call of a list, which can be cancelled and awaited.
///
/// It ends exactly once. It need not be kept: releasing it cancels nothing. Several calls may share
/// a page: a cancelled call leaves at once, and the load is cancelled when its last call has left.
/// Reads of ``currentOutcome`` are tracked.
@MainActor
public final class ListCall: Observable {
  private var handle = CallHandle<PageReport>()
  private var leave: (@MainActor () -> Void)?

  init(_ trace: ActivityTrace?) {
    handle.follow(trace)
    handle.start(waiting: false)
  }

  /// Cancels the call; a no-op if it has ended.
  ///
  /// Items, cursors and earlier errors stay as they were.
  public func cancel() {
    leave?()
  }

  /// The outcome of the call, or nil before its end.
  public var currentOutcome: Outcome<PageReport>? {
    handle.trackedOutcome()
  }

  /// The outcome, awaited until the call ends, even if the waiting task is cancelled.
  public var outcome: Outcome<PageReport> {
    get async { await handle.ending().outcome }
  }

  /// The report of the load, awaited until the call ends.
  ///
  /// - Throws: the error of a failure; ``/FieldstoneCore/CallCancelled`` if the call was cancelled;
  ///   `CancellationError` at once if the waiting task is cancelled, while the call continues.
  public var value: PageReport {
    get async throws { try await handle.ending().value }
  }

  /// Sets the closure that cancels the call; ignored once the call has ended.
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
