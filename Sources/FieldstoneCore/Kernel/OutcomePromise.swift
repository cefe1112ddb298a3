/// An outcome that is set once: the first end counts, and all waiting tasks receive it.
///
/// The pure part is ``State``; this shell resumes continuations outside the lock.
package final class OutcomePromise<Success: Sendable>: Sendable {
  private let state = Locked(State())

  package init() {}

  /// Ends the promise; ignored if it has ended.
  ///
  /// - Parameter tell: called before the waiting tasks are resumed, if this call ends the promise.
  /// - Returns: whether this call ended the promise.
  @discardableResult
  package func end(with outcome: Outcome<Success>, telling tell: () -> Void = {}) -> Bool {
    guard let waiters = state.withLock({ $0.end(with: outcome) }) else { return false }
    tell()
    for waiter in waiters { waiter.resume(returning: outcome) }
    return true
  }

  /// The outcome if it is known.
  package var current: Outcome<Success>? {
    state.withLock { $0.outcome }
  }

  /// Waits for the outcome, even if the waiting task is cancelled.
  package var outcome: Outcome<Success> {
    get async {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock { $0.wait(continuation, as: nil) }
        if let outcome { continuation.resume(returning: outcome) }
      }
    }
  }

  /// Waits for the value; a waiter leaves as soon as its own task is cancelled.
  package var value: Success {
    get async throws {
      let waiter = state.withLock { $0.nextWaiter() }
      let outcome = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let outcome = state.withLock { $0.wait(continuation, as: waiter) }
          if let outcome { continuation.resume(returning: outcome) }
        }
      } onCancel: {
        state.withLock { $0.leave(waiter) }?.resume(returning: .cancelled(.caller))
      }
      return try outcome.get()
    }
  }
}

extension OutcomePromise {
  package typealias Waiter = CheckedContinuation<Outcome<Success>, Never>

  /// The transitions of a promise; they take no lock and resume no continuation.
  package struct State {
    package private(set) var outcome: Outcome<Success>?
    private var waiters: [Int: Waiter] = [:]
    private var left: Set<Int> = []
    private var last = 0

    /// Assigns a number to a waiter that may leave early.
    mutating func nextWaiter() -> Int {
      last += 1
      return last
    }

    /// Registers a waiter, or returns the outcome to resume it with at once.
    mutating func wait(_ waiter: Waiter, as number: Int?) -> Outcome<Success>? {
      if let outcome { return outcome }
      let number = number ?? nextWaiter()
      if left.remove(number) != nil { return .cancelled(.caller) }
      waiters[number] = waiter
      return nil
    }

    /// Removes a waiter; one that has not arrived yet is turned away on arrival.
    mutating func leave(_ number: Int) -> Waiter? {
      if outcome != nil { return nil }
      if let waiter = waiters.removeValue(forKey: number) { return waiter }
      left.insert(number)
      return nil
    }

    /// Takes the outcome, and returns its waiters; nil if the promise has ended.
    mutating func end(with outcome: Outcome<Success>) -> [Waiter]? {
      guard self.outcome == nil else { return nil }
      self.outcome = outcome
      defer {
        waiters = [:]
        left = []
      }
      return waiters.valuesInOrder
    }
  }
}
