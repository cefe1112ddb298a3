public import Dispatch
import FieldstoneCore

/// Where handlers of an operation run that shall not run on the main actor.
public struct CallbackPlace: Sendable {
  /// On whichever thread the operation happens to be: without a hop, and not to be blocked.
  ///
  /// That is the thread of `start()` and of synchronous work, and otherwise the thread that ends
  /// the operation, such as the one that calls `cancel()`.
  public static let anywhere = CallbackPlace(kind: .anywhere)

  /// On a queue: in place when already there, also on a queue that targets it.
  ///
  /// The thread of an operation waits for the handlers of its start, and for no others. Two
  /// operations that are started on serial queues block each other for ever where each has a
  /// handler of its start on the other's queue: use ``anywhere`` or the main actor there.
  public static func queue(_ queue: DispatchQueue) -> CallbackPlace {
    queue === DispatchQueue.main ? .main : CallbackPlace(kind: .queue(queue, QueueMark.of(queue)))
  }

  static let main = CallbackPlace(kind: .main)

  private enum Kind: Sendable {
    case main
    case anywhere
    case queue(DispatchQueue, QueueMark)
  }

  private let kind: Kind

  fileprivate func isSame(as other: CallbackPlace) -> Bool {
    switch (kind, other.kind) {
    case (.main, .main), (.anywhere, .anywhere): true
    case (.queue(let one, _), .queue(let another, _)): one === another
    default: false
    }
  }

  /// Whether the current code runs there already.
  fileprivate var isHere: Bool {
    switch kind {
    case .main: MainDispatch.isOnMain
    case .anywhere: true
    case .queue(_, let mark): mark.isHere
    }
  }

  fileprivate func wait(for body: @Sendable () -> Void) {
    switch kind {
    case .main: MainDispatch.sync { body() }
    case .anywhere: body()
    case .queue(let queue, let mark): if mark.isHere { body() } else { queue.sync(execute: body) }
    }
  }

  fileprivate func later(_ body: @escaping @Sendable () -> Void) {
    switch kind {
    case .main: MainDispatch.async { body() }
    case .anywhere: body()
    case .queue(let queue, _): queue.async(execute: body)
    }
  }
}

/// What tells whether code runs on a queue: one for each queue, which keeps it.
///
/// A queue that targets another finds the other's mark, too.
private final class QueueMark: Sendable {
  private let key = DispatchSpecificKey<Void>()

  /// Where each queue has its mark; it outlives every queue, so its address is never used again.
  private static let marks = DispatchSpecificKey<QueueMark>()

  /// So that two threads don't give a queue one each.
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

extension CallbackPlace {
  /// Something to be done at a place.
  struct Errand: Sendable {
    let place: CallbackPlace
    let body: @Sendable () -> Void
  }
}

extension [CallbackPlace.Errand] {
  /// Runs errands one after the other and waits for them, with one hop for neighbours of one place.
  ///
  /// - Parameter goesOn: asked before each; false leaves out the rest.
  func wait(while goesOn: @Sendable () -> Bool) {
    for stretch in stretches() {
      stretch[0].place.wait {
        for errand in stretch where goesOn() { errand.body() }
      }
    }
  }

  /// Runs errands one after the other without waiting for them, and then a last thing.
  ///
  /// - Parameter beginsHere: whether those whose place is here run before this returns.
  func run(beginsHere: Bool, then done: @escaping @Sendable () -> Void) {
    stretches()[...].run(beginsHere: beginsHere, then: done)
  }

  private func stretches() -> [[CallbackPlace.Errand]] {
    var stretches: [[CallbackPlace.Errand]] = []
    for errand in self {
      if let place = stretches.last?.last?.place, place.isSame(as: errand.place) {
        stretches[stretches.endIndex - 1].append(errand)
      } else {
        stretches.append([errand])
      }
    }
    return stretches
  }
}

extension ArraySlice<[CallbackPlace.Errand]> {
  fileprivate func run(beginsHere: Bool, then done: @escaping @Sendable () -> Void) {
    guard let stretch = first else { return done() }
    let rest = dropFirst()
    let run: @Sendable () -> Void = {
      for errand in stretch { errand.body() }
      rest.run(beginsHere: beginsHere, then: done)
    }
    if beginsHere, stretch[0].place.isHere { run() } else { stretch[0].place.later(run) }
  }
}
