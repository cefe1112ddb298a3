#if PostgreSQL
  import FieldstoneCore
  import FieldstoneDurable
  import Foundation

  /// A queue of work for several connections, each owned by a thread.
  ///
  /// A thread takes the waiting work, up to a batch; work that arrives while it is busy waits for
  /// its next turn. A thread starts when work finds none idle, and ends with the line.
  ///
  /// In a line with batches, a thread that would take fewer items than others have under way waits
  /// for more, up to a limit. Otherwise, one large batch and many small ones alternate, and the
  /// small ones cost as much as large ones.
  final class ConnectionLine<Work: Sendable>: Sendable {
    private struct State {
      var waiting: [Work] = []
      var threads = 0
      var idle = 0
      /// The number of items that threads perform.
      var underway = 0
      var isEnded = false

      /// Whether a batch would be smaller than what is under way on other connections.
      func isWorthWaiting(largestBatch: Int) -> Bool {
        largestBatch > 1 && !isEnded && waiting.count < min(underway, largestBatch)
      }
    }

    private let name: String
    private let mostThreads: Int
    private let largestBatch: Int
    /// The longest wait for a larger batch; it bounds the effect of a statement that hangs.
    ///
    /// A thread waits for it, so it is no delay of the kernel.
    private let patience: DispatchTimeInterval
    private let makeConnection: @Sendable () -> PostgresConnection
    private let perform: @Sendable ([Work], PostgresConnection) -> Void
    private let state = Locked(State())
    private let arrivals = DispatchSemaphore(value: 0)
    private let ending = OutcomePromise<Void>()

    init(
      name: String, threads: Int, largestBatch: Int = 1,
      patience: DispatchTimeInterval = .milliseconds(2),
      makeConnection: @escaping @Sendable () -> PostgresConnection,
      perform: @escaping @Sendable ([Work], PostgresConnection) -> Void
    ) {
      self.name = name
      mostThreads = max(1, threads)
      self.largestBatch = largestBatch
      self.patience = patience
      self.makeConnection = makeConnection
      self.perform = perform
    }

    /// - Returns: whether the work was accepted; false once the line has ended.
    func add(_ work: Work) -> Bool {
      let (isTaken, needsThread) = state.withLock { state in
        if state.isEnded { return (false, false) }
        state.waiting.append(work)
        guard state.waiting.count > state.idle, state.threads < mostThreads else {
          return (true, false)
        }
        state.threads += 1
        return (true, true)
      }
      guard isTaken else { return false }
      arrivals.signal()
      if needsThread {
        let thread = Thread { self.run() }
        thread.name = name
        thread.qualityOfService = .userInitiated
        thread.start()
      }
      return true
    }

    /// The number of items that wait for a connection.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Accepts no more work, finishes the pending work, and then ends the threads.
    func end() {
      let threads = state.withLock { state in
        state.isEnded = true
        return state.threads
      }
      for _ in 0..<threads { arrivals.signal() }
      if threads == 0 { ending.end(with: .success(())) }
    }

    /// Waits until the threads have ended.
    func waitUntilEnded() async { _ = await ending.outcome }

    private func run() {
      do {
        // The connection is created, used and freed on this thread.
        let connection = makeConnection()
        while let batch = next() {
          if batch.isEmpty { continue }
          perform(batch, connection)
          let isAwaited = state.withLock { state in
            state.underway -= batch.count
            return !state.waiting.isEmpty
          }
          // Another thread may have waited for a larger batch than there is now under way.
          if isAwaited { arrivals.signal() }
        }
      }
      let isLast = state.withLock { state in
        state.threads -= 1
        return state.threads == 0
      }
      if isLast { ending.end(with: .success(())) }
    }

    /// The next batch of work; empty if another thread has taken it, nil at the end.
    private func next() -> [Work]? {
      let isEnded = state.withLock { state in
        state.idle += 1
        return state.isEnded
      }
      // After the end there may be fewer signals than threads.
      if !isEnded { arrivals.wait() }
      let deadline = DispatchTime.now() + patience
      while state.withLock({ $0.isWorthWaiting(largestBatch: largestBatch) }) {
        if arrivals.wait(timeout: deadline) == .timedOut { break }
      }
      let (batch, isMoreThere) = state.withLock { state -> ([Work]?, Bool) in
        state.idle -= 1
        if state.waiting.isEmpty { return (state.isEnded ? nil : [], false) }
        let batch = Array(state.waiting.prefix(largestBatch))
        state.waiting.removeFirst(batch.count)
        state.underway += batch.count
        return (batch, !state.waiting.isEmpty)
      }
      // Its signal may have been consumed by the wait above.
      if isMoreThere { arrivals.signal() }
      return batch
    }
  }
#endif
