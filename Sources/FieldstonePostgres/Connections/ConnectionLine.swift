#if PostgreSQL
  import FieldstoneCore
  import FieldstoneDurable
  import Foundation

  /// Work that waits for one of some connections, each of which belongs to a thread of its own.
  ///
  /// A thread takes what waits, up to so much at once: what comes while it is busy shares its next
  /// turn. It begins with the first work that finds no other idle, and ends with the line.
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

    /// - Returns: whether it was taken; false once the line has ended.
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

    /// How much waits for a connection.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Takes no more work, finishes the work that it has, and then ends its threads.
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
        // Made, used and freed here.
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

    /// What to do next; empty when another thread has it already, nil at the end.
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
