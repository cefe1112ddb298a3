/// Tracks references to something, and notifies observers when the last one goes. (Seed:
/// ModelBlocks' `ReferenceTracker`.)
///
/// ```swift
/// let tracker = ReferenceTracker()
/// let registration = tracker.observeIsEmpty { isEmpty in isEmpty ? stop() : start() }
/// var reference: TrackedReference? = tracker.add("showing the map")
/// reference = nil  // nobody needs it any more: stop() is called
/// ```
///
/// It can be used from any thread. Observers are called outside the lock, one edge after the
/// other in the order in which they happened; an edge that happens while observers are called is
/// delivered by the thread that delivers the first.
public final class ReferenceTracker: Sendable {
  private let state = Locked(ReferenceTrackerState())

  /// Makes one without references.
  public init() {}

  /// Adds a reference; releasing what comes back removes it.
  ///
  /// - Parameter reason: what it is for, shown in a debugger.
  public func add(_ reason: String = "") -> TrackedReference {
    let number = state.withLock { $0.add(reason) }
    tellEdges()
    return TrackedReference(reason: reason) { [self] in
      state.withLock { $0.remove(number) }
      tellEdges()
    }
  }

  /// Whether there are no references.
  public var isEmpty: Bool { state.withLock { $0.reasons.isEmpty } }

  /// How many references there are.
  public var count: Int { state.withLock { $0.reasons.count } }

  /// What the references are for, the oldest first.
  public var reasons: [String] {
    state.withLock { $0.reasons.valuesInOrder }
  }

  /// Calls a closure whenever the first reference comes or the last one goes.
  ///
  /// - Parameter handler: gets whether there is none; called on the thread that made the
  ///   change, or on one that is delivering already.
  /// - Returns: the registration, to keep as long as the closure shall be called.
  public func observeIsEmpty(_ handler: @escaping @Sendable (Bool) -> Void) -> Registration {
    let number = state.withLock { $0.addObserver(handler) }
    return Registration { [self] in
      let observer = state.withLock { $0.removeObserver(number) }
      // Without this the optimiser may release it under the lock, and what it captured may run
      // code of its own.
      withExtendedLifetime(observer) {}
    }
  }

  private func tellEdges() {
    guard state.withLock({ $0.beginTelling() }) else { return }
    while let (isEmpty, observers) = state.withLock({ $0.nextEdge() }) {
      for number in observers {
        // Asked one by one: an observer that is removed by an earlier one is not called.
        state.withLock { $0.observers[number] }?(isEmpty)
      }
    }
  }
}

extension ReferenceTracker: CustomDebugStringConvertible {
  /// The number of references and what each is for.
  public var debugDescription: String {
    let reasons = reasons.map { $0.isEmpty ? "(no reason given)" : $0 }
    return "ReferenceTracker(\(reasons.count): \(reasons.joined(separator: ", ")))"
  }
}
