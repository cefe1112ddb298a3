public import Dispatch
import FieldstoneCore

/// Where handlers of an operation run that shall not run on the main actor.
public struct CallbackPlace: Sendable {
  /// On whichever thread the operation happens to be: without a hop, and not to be blocked.
  ///
  /// That is the thread of `start()` and of synchronous work, and otherwise the thread that ends
  /// the operation, such as the one that calls `cancel()`.
  public static let anywhere = CallbackPlace(kind: .anywhere)

  /// On a queue: in place when already there, so that nothing deadlocks.
  public static func queue(_ queue: DispatchQueue) -> CallbackPlace {
    let key = DispatchSpecificKey<Void>()
    queue.setSpecific(key: key, value: ())
    return CallbackPlace(kind: .queue(queue, key))
  }

  static let main = CallbackPlace(kind: .main)

  private enum Kind: Sendable {
    case main
    case anywhere
    case queue(DispatchQueue, DispatchSpecificKey<Void>)
  }

  private let kind: Kind

  fileprivate func isSame(as other: CallbackPlace) -> Bool {
    switch (kind, other.kind) {
    case (.main, .main), (.anywhere, .anywhere): true
    case (.queue(let one, _), .queue(let another, _)): one === another
    default: false
    }
  }

  fileprivate func wait(for body: @Sendable () -> Void) {
    switch kind {
    case .main: MainDispatch.sync { body() }
    case .anywhere: body()
    case .queue(let queue, let key):
      if DispatchQueue.getSpecific(key: key) == nil { queue.sync(execute: body) } else { body() }
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
  func wait(while goesOn: @Sendable () -> Bool = { true }) {
    for stretch in stretches() {
      stretch[0].place.wait {
        for errand in stretch where goesOn() { errand.body() }
      }
    }
  }

  /// Runs errands one after the other without waiting for them, and then a last thing.
  func later(then done: @escaping @Sendable () -> Void) {
    stretches()[...].later(then: done)
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
  fileprivate func later(then done: @escaping @Sendable () -> Void) {
    guard let stretch = first else { return done() }
    let rest = dropFirst()
    stretch[0].place.later {
      for errand in stretch { errand.body() }
      rest.later(then: done)
    }
  }
}
