#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import GRDB

  /// Works on the runs of a journal with a runner.
  struct Laborer {
    private let journal: SQLiteJournal
    private let runner: DurableRunner

    /// - Parameters:
    ///   - pauses: whether the first work waits for a line of input.
    ///   - concurrency: how many runs of a flow are worked on at the same time.
    ///   - budget: how many attempts there are at a stage of a hop, and how many lone crashes.
    ///   - readingKills: whether the process is killed as it reads what is of an older version.
    ///   - crowd: who gathers around work that kills the process.
    ///   - hasLanes: whether it works on hops with limits, too.
    ///   - holds: whether work ends only with the process, and says that it has begun.
    ///   - countsClaims: whether it says how many runs each claim gives.
    init(
      _ journal: SQLiteJournal, lease: Duration, pauses: Bool = false, concurrency: Int = 1,
      budget: Int = 1_000_000, readingKills: Bool = false, crowd: Crowd? = nil,
      hasLanes: Bool = false, holds: Bool = false, countsClaims: Bool = false
    ) throws {
      self.journal = journal
      // With room for another flow it would go on claiming, and so write while it is paused.
      let mayPause = pauses
      let pauses = Locked(pauses)
      var effects = Effects(path: journal.path + "-effects") {
        let isFirst = pauses.withLock { pauses in
          defer { pauses = false }
          return pauses
        }
        guard isFirst else { return }
        say("paused")
        _ = readLine()
      }
      effects.crowd = crowd
      if holds {
        let gate = Gate()
        effects.beHeld = {
          say("begun")
          await gate.wait()
        }
      }
      func options(_ limits: FlowLimits?) -> FlowOptions<Hop> {
        FlowOptions<Hop>(
          maxConcurrent: concurrency, limits: limits,
          retryPolicy: { _ in StageRetryPolicy(maximumAttempts: budget) },
          maximumLoneCrashes: budget)
      }
      let poison = FlowOptions<Poison>(
        maximumLoneCrashes: Poison.budget,
        migration: { _, _, _ in
          kill(getpid(), SIGKILL)
          throw CancellationError()
        })
      runner = try DurableRunner(
        journal: countsClaims ? CountedClaims(decorated: journal) : journal,
        flows: [DurableFlow(Hop.self, services: effects, options: options(nil))]
          + (hasLanes
            ? [
              DurableFlow(
                Hop.self, name: Hop.lanes, services: effects, options: options(Hop.limits))
            ] : [])
          + (mayPause
            ? []
            : [
              DurableFlow(
                Poison.self, name: Poison.flowName, version: readingKills ? 2 : 1,
                services: effects, options: poison)
            ]),
        options: DurableRunnerOptions(
          lease: lease, pollInterval: .milliseconds(5), shutdownGrace: .zero,
          onEvent: { event in
            switch event.kind {
            case .stageFinished: say("finished")
            case .lost(let loss): say("lost \(loss.rawValue)")
            case .blocked, .retry, .journalUnavailable: say("\(event.kind)")
            default: break
            }
          }))
    }

    /// Works until its input ends.
    func workUntilToldToEnd() async throws {
      let runner = runner
      Thread {
        while readLine() != nil {}
        Task { await runner.shutdown() }
      }.start()
      try await runner.run()
      say("ended")
    }

    /// Works until no run is left that is not over.
    func finishAll() async throws {
      let runner = runner
      let work = Task { try await runner.run() }
      var query = RunQuery(limit: 1_000)
      repeat {
        let page = try await journal.runs(query)
        for run in page.runs {
          do {
            _ = try await runner.handle(run.id, completion: Int.self).value
          } catch is DurableRunError {
            say("dead")
          }
        }
        query.before = page.next
      } while query.before != nil
      await runner.shutdown()
      _ = await work.result
      say("ended")
    }
  }

  /// A journal that says how many runs a claim gives, if it gives any.
  private struct CountedClaims: JournalDecorator {
    let decorated: any Journal

    func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
      let claim = try await decorated.claim(request, at: time)
      if !claim.runs.isEmpty { say("given \(claim.runs.count)") }
      return claim
    }
  }
#endif
