public import Dispatch

/// Where handlers run: on the main queue, on another queue, or in place.
///
/// A handler is a synchronous closure, and its caller may wait for it. Asynchronous work is another
/// concept, `StagePlacement` of FieldstoneStages: it becomes a task, and waiting for that would
/// block the caller's thread.
public struct HandlerExecutor: Sendable {
  /// The main queue, which is the main actor; a handler runs in place if it is already there.
  public static let main = HandlerExecutor(kind: .main)

  /// The thread that calls the handler, without a hop.
  ///
  /// The handler must not block.
  ///
  /// For an operation this is the thread of `start()` and of synchronous work. Otherwise it is the
  /// thread that ends the operation, such as the caller of `cancel()`.
  public static let anywhere = HandlerExecutor(kind: .anywhere)

  /// A queue; a handler runs in place if it is already there, or on a queue that targets it.
  ///
  /// An operation's thread waits for the handlers of its start, and for no others. Two operations
  /// on serial queues deadlock if each has a start handler on the other's queue. Use ``anywhere``
  /// or ``main`` there.
  public static func queue(_ queue: DispatchQueue) -> HandlerExecutor {
    let mark = QueueMark.of(queue)
    return mark === mainMark ? .main : HandlerExecutor(kind: .queue(queue, mark))
  }

  // On Linux each access to the main queue makes a new object, so objects can't be compared.
  private static let mainMark = QueueMark.of(.main)

  private enum Kind: Sendable {
    case main
    case anywhere
    case queue(DispatchQueue, QueueMark)
  }

  private let kind: Kind

  package func isSame(as other: HandlerExecutor) -> Bool {
    switch (kind, other.kind) {
    case (.main, .main), (.anywhere, .anywhere): true
    case (.queue(_, let one), .queue(_, let another)): one === another
    default: false
    }
  }

  /// Whether the current code already runs there.
  package var isHere: Bool {
    switch kind {
    case .main: MainDispatch.isOnMain
    case .anywhere: true
    case .queue(_, let mark): mark.isHere
    }
  }

  /// Calls a handler there and waits for it.
  package func wait(for body: @Sendable () -> Void) {
    switch kind {
    case .main: MainDispatch.sync { body() }
    case .anywhere: body()
    case .queue(let queue, let mark): if mark.isHere { body() } else { queue.sync(execute: body) }
    }
  }

  /// Calls a handler there later, without waiting for it.
  ///
  /// ``anywhere`` calls it at once.
  package func later(_ body: @escaping @Sendable () -> Void) {
    switch kind {
    case .main: MainDispatch.async { body() }
    case .anywhere: body()
    case .queue(let queue, _): queue.async(execute: body)
    }
  }
}

/// Identifies a queue, and tells whether code runs on it; each queue keeps one.
///
/// Code on a queue that targets another queue also finds the target's mark.
private final class QueueMark: Sendable {
  private let key = DispatchSpecificKey<Void>()

  /// The key of each queue's mark; a mark outlives its queue, so its address is never reused.
  private static let marks = DispatchSpecificKey<QueueMark>()

  /// Prevents two threads from giving one queue two marks.
  private static let lock = Locked(())

  static func of(_ queue: DispatchQueue) -> QueueMark {
    lock.withLock { _ in
      if let mark = queue.getSpecific(key: marks) { return mark }
      let mark = QueueMark()
      queue.setSpecific(key: marks, value: mark)
      queue.setSpecific(key: mark.key, value: ())
      return mark
    }
  }

  var isHere: Bool { DispatchQueue.getSpecific(key: key) != nil }
}
