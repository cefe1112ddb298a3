#if PostgreSQL
  import FieldstoneCore
  import FieldstoneDurable
  import Foundation

  /// A queue of work for several connections, each owned by a thread.
  ///
  /// A thread takes the waiting work, up to a batch; work that arrives while it is busy waits for
  /// its next turn. A thread starts when work finds none idle, and ends with the line.
  final class ConnectionLine<Work: Sendable>: Sendable {
    private struct State {
      var waiting: [Work] = []
      var threads = 0
      var idle = 0
      var isEnded = false
    }

    private let name: String
    private let mostThreads: Int
    private let largestBatch: Int
    private let makeConnection: @Sendable () -> PostgresConnection
    private let perform: @Sendable ([Work], PostgresConnection) -> Void
    private let state = Locked(State())
    private let arrivals = DispatchSemaphore(value: 0)
    private let ending = OutcomePromise<Void>()

    init(
      name: String, threads: Int, largestBatch: Int = 1,
      makeConnection: @escaping @Sendable () -> PostgresConnection,
      perform: @escaping @Sendable ([Work], PostgresConnection) -> Void
    ) {
      self.name = name
      mostThreads = max(1, threads)
      self.largestBatch = largestBatch
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
          if !batch.isEmpty { perform(batch, connection) }
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
      state.withLock { $0.idle += 1 }
      arrivals.wait()
      return state.withLock { state in
        state.idle -= 1
        if state.waiting.isEmpty { return state.isEnded ? nil : [] }
        let batch = Array(state.waiting.prefix(largestBatch))
        state.waiting.removeFirst(batch.count)
        return batch
      }
    }
  }
#endif
