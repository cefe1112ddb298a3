#if os(macOS) || os(Linux)
  import FieldstoneCore
  import FieldstoneLoading
  import Foundation
  import Testing

  // What the runtime puts on the pool can be counted; on Linux nothing can hook into the main queue.
  // A task goes there once for each time that it needs it, as the bare task does.

  @Suite("How often a call changes its executor")
  struct HopTests {
    @Test("Once to the pool and back, whatever is asked of it")
    func hops() async {
      await #expect(processExitsWith: .success) {
        guard HopCounter.install() else { exit(2) }
        let counts = await Self.jobsUntilCompletion()
        if counts != [1, 1, 1, 1] { exit(Int32(3 + (counts.max() ?? 0))) }
      }
    }

    /// The jobs on the pool from the start of a call to its completion, for several kinds of calls.
    @MainActor
    private static func jobsUntilCompletion() async -> [Int] {
      let integrator = Integrator(provider: Doubling(), errorHandlers: ErrorHandlers())
      let failing = Integrator(provider: Failing(), errorHandlers: ErrorHandlers())
      let queue = Integrator(provider: Doubling(), policy: .queue())
      var counts: [Int] = []
      for builder in [
        integrator.call(1), integrator.call(2).onSuccess { _ in }, failing.call(3), queue.call(4),
      ] {
        await withCheckedContinuation { continuation in
          let prepared = builder.onCompletion { _ in
            counts.append(HopCounter.poolCount)
            continuation.resume()
          }
          HopCounter.reset()
          prepared.start()
        }
      }
      return counts
    }

    @Test("Its end included, a call makes as many jobs as a bare task that does the same")
    func asManyAsABareTask() async {
      await #expect(processExitsWith: .success) {
        guard HopCounter.install() else { exit(2) }
        let (calls, tasks) = await (Self.jobsOfCalls(), Self.jobsOfTasks())
        if calls > tasks { exit(3) }
      }
    }

    private static let rounds = 100

    @MainActor
    private static func jobsOfCalls() async -> Int {
      let integrator = Integrator(provider: Doubling())
      HopCounter.reset()
      for number in 0..<rounds {
        await withCheckedContinuation { continuation in
          integrator.call(number).onCompletion { _ in continuation.resume() }.start()
        }
      }
      return HopCounter.poolCount
    }

    @MainActor
    private static func jobsOfTasks() async -> Int {
      HopCounter.reset()
      for number in 0..<rounds {
        await withCheckedContinuation { continuation in
          _ = Task { @concurrent in
            let value = try await Doubling().load(number, reporting: LoadEvents())
            await show(value, continuation)
          }
        }
      }
      return HopCounter.poolCount
    }

    @MainActor
    private static func show(_ value: Int, _ continuation: CheckedContinuation<Void, Never>) {
      continuation.resume()
    }
  }
#endif
