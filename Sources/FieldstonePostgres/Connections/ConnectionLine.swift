#if PostgreSQL
  import FieldstoneCore
  import FieldstoneDurable
  package import Foundation

  /// A queue of work for several connections, each owned by a thread.
  ///
  /// A thread takes the waiting work, up to a batch by number and by weight; work that arrives
  /// while it is busy waits for its next turn. A thread starts when work finds none idle, and ends
  /// with the line. Of the idle threads, the oldest is asked: the server's process of a connection
  /// is faster if it did the same a moment ago.
  ///
  /// In a line with batches, a thread that would take fewer items than others have under way waits
  /// for more, up to a limit. Otherwise, one large batch and many small ones alternate, and the
  /// small ones cost as much as large ones.
  ///
  /// While the server is unreachable, work waits for one failed attempt to connect that began after
  /// it was added, and gets that error.
  package final class ConnectionLine<Work: Sendable>: Sendable {
    /// A thread that waits; code that removes it from the state must signal it, once.
    private struct Waiter {
      let number: Int
      let arrival = DispatchSemaphore(value: 0)
    }

    /// Work in its place in the line.
    private struct Place {
      let work: Work
      /// The number of attempts to connect before it was added.
      let attemptsBefore: Int
    }

    /// What a thread performs at once.
    private struct Batch {
      var work: [Work] = []
      /// The number of attempts to connect before its last work was added.
      var attemptsBefore = 0
    }

    private struct State {
      var waiting = FIFO<Place>()
      var threads = 0
      var idle: [Waiter] = []
      /// The thread that waits for a larger batch.
      var gathering: Waiter?
      /// The number of items that threads perform.
      var underway = 0
      var isEnded = false

      /// Whether a batch would be smaller than what is under way on other connections.
      func isWorthWaiting(largestBatch: Int) -> Bool {
        largestBatch > 1 && !isEnded && waiting.count < min(underway, largestBatch)
      }

      /// The idle thread to signal.
      mutating func takeIdle() -> Waiter? {
        idle.indices.min { idle[$0].number < idle[$1].number }.map { idle.remove(at: $0) }
      }

      /// The thread to signal if its batch is large enough.
      mutating func takeGathering(largestBatch: Int) -> Waiter? {
        if isWorthWaiting(largestBatch: largestBatch) { return nil }
        defer { gathering = nil }
        return gathering
      }
    }

    /// What a thread does next.
    private enum Step {
      case perform(Batch, waking: Waiter?)
      case gather
      case rest
      case end
    }

    private let name: String
    private let mostThreads: Int
    private let largestBatch: Int
    private let heaviestBatch: Int
    private let weight: @Sendable (Work) -> Int
    /// The longest wait for a larger batch; it bounds the effect of a statement that hangs.
    ///
    /// A thread waits for it, so it is no delay of the kernel.
    private let patience: DispatchTimeInterval
    private let makeConnection: @Sendable () -> PostgresConnection
    private let perform: @Sendable ([Work], PostgresConnection, () -> Void) -> Void
    private let attempts = ConnectionAttempts()
    private let state = Locked(State())
    private let ending = OutcomePromise<Void>()

    /// - Parameters:
    ///   - heaviestBatch: the maximum weight of a batch of more than one.
    ///   - weight: the weight of work; called under a lock.
    ///   - perform: performs a batch. It calls the closure when it needs the connection no more and
    ///     only answers are left; so the next work of a caller finds this thread idle, and not
    ///     another one.
    package init(
      name: String, threads: Int, largestBatch: Int = 1, heaviestBatch: Int = .max,
      weight: @escaping @Sendable (Work) -> Int = { _ in 0 },
      patience: DispatchTimeInterval = .milliseconds(2),
      makeConnection: @escaping @Sendable () -> PostgresConnection,
      perform: @escaping @Sendable ([Work], PostgresConnection, () -> Void) -> Void
    ) {
      self.name = name
      mostThreads = max(1, threads)
      self.largestBatch = largestBatch
      self.heaviestBatch = heaviestBatch
      self.weight = weight
      self.patience = patience
      self.makeConnection = makeConnection
      self.perform = perform
    }

    /// - Returns: whether the work was accepted; false once the line has ended.
    package func add(_ work: Work) -> Bool {
      let place = Place(work: work, attemptsBefore: attempts.count)
      let (isTaken, woken, new) = state.withLock { state -> (Bool, Waiter?, Waiter?) in
        if state.isEnded { return (false, nil, nil) }
        state.waiting.append(place)
        if state.gathering != nil {
          return (true, state.takeGathering(largestBatch: largestBatch), nil)
        }
        if let idle = state.takeIdle() { return (true, idle, nil) }
        guard state.threads < mostThreads else { return (true, nil, nil) }
        defer { state.threads += 1 }
        return (true, nil, Waiter(number: state.threads))
      }
      woken?.arrival.signal()
      if let new {
        let thread = Thread { self.run(new) }
        thread.name = name
        thread.qualityOfService = .userInitiated
        thread.start()
      }
      return isTaken
    }

    /// The number of items that wait for a connection.
    package var waiting: Int { state.withLock { $0.waiting.count } }

    /// Accepts no more work, finishes the pending work, and then ends the threads.
    package func end() {
      let (threads, woken) = state.withLock { state in
        state.isEnded = true
        defer { (state.idle, state.gathering) = ([], nil) }
        return (state.threads, state.idle + [state.gathering].compactMap(\.self))
      }
      for waiter in woken { waiter.arrival.signal() }
      if threads == 0 { ending.end(with: .success(())) }
    }

    /// Waits until the threads have ended.
    package func waitUntilEnded() async { _ = await ending.outcome }

    private func run(_ own: Waiter) {
      do {
        // The connection is created, used and freed on this thread.
        let connection = makeConnection()
        connection.attempts = attempts
        var isIdle = false
        while let batch = next(own, isIdle: isIdle) {
          var isFree = false
          func free() {
            if isFree { return }
            isFree = true
            isIdle = leave(batch.work.count, own)
          }
          connection.attemptsBefore = batch.attemptsBefore
          perform(batch.work, connection, free)
          free()
        }
      }
      let isLast = state.withLock { state in
        state.threads -= 1
        return state.threads == 0
      }
      if isLast { ending.end(with: .success(())) }
    }

    /// Counts a batch as performed.
    ///
    /// - Returns: whether the thread is among the idle ones now.
    private func leave(_ count: Int, _ own: Waiter) -> Bool {
      let (isIdle, woken) = state.withLock { state -> (Bool, Waiter?) in
        state.underway -= count
        if state.waiting.isEmpty, !state.isEnded {
          state.idle.append(own)
          return (true, nil)
        }
        // It may have waited for a larger batch than there is now under way.
        return (false, state.takeGathering(largestBatch: largestBatch))
      }
      woken?.arrival.signal()
      return isIdle
    }

    /// The next batch of work; nil at the end.
    ///
    /// - Parameter isIdle: whether the thread is among the idle ones.
    private func next(_ own: Waiter, isIdle: Bool) -> Batch? {
      if isIdle { own.arrival.wait() }
      var deadline: DispatchTime?
      var isPatient = true
      while true {
        switch state.withLock({ step(&$0, own, isPatient: isPatient) }) {
        case .perform(let batch, let woken):
          woken?.arrival.signal()
          return batch
        case .gather:
          let end = deadline ?? DispatchTime.now() + patience
          deadline = end
          if own.arrival.wait(timeout: end) == .success { continue }
          isPatient = false
          let isSignalled = state.withLock { state in
            if state.gathering?.number != own.number { return true }
            state.gathering = nil
            return false
          }
          if isSignalled { own.arrival.wait() }
        case .rest: own.arrival.wait()
        case .end: return nil
        }
      }
    }

    private func step(_ state: inout State, _ own: Waiter, isPatient: Bool) -> Step {
      if state.waiting.isEmpty {
        if state.isEnded { return .end }
        state.idle.append(own)
        return .rest
      }
      if isPatient, state.isWorthWaiting(largestBatch: largestBatch) {
        if state.gathering == nil {
          state.gathering = own
          return .gather
        }
        state.idle.append(own)
        return .rest
      }
      var (batch, weight) = (Batch(), 0)
      while batch.work.count < largestBatch, let place = state.waiting.first {
        weight += self.weight(place.work)
        // The first always fits.
        if weight > heaviestBatch, !batch.work.isEmpty { break }
        _ = state.waiting.popFirst()
        batch.work.append(place.work)
        batch.attemptsBefore = place.attemptsBefore
      }
      state.underway += batch.work.count
      return .perform(batch, waking: state.waiting.isEmpty ? nil : state.takeIdle())
    }
  }
#endif
