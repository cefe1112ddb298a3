#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import Testing

  /// Servers that crash and come back, and claims whose answers are lost: nobody waits for ever, or for
  /// the end of a lease.
  @Suite(
    "A server that crashes",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresCrashTests {
    @Test("A server that crashes and comes back under work loses nothing")
    func restarts() async throws {
      let server = PostgresServer.another("restarts")
      let journal = try await server.journal()
      let other = try await PostgresJournal(server.text(), options: journal.options)
      _ = try await journal.texts("CREATE TABLE note (text text)")
      let restarts = Locked<Set<Int>>([])
      let script = Errand.Script { errand, context in
        context.atCheckpoint { (transaction: PostgresTransaction) in
          try transaction.execute(
            "INSERT INTO note VALUES ($1)", ["\(errand.name) \(errand.number)"])
        }
        // Once for each number: an attempt that lost its claim would end the server after the test.
        guard errand.name == "errand 9", (2...4).contains(errand.number),
          restarts.withLock({ $0.insert(errand.number).inserted })
        else { return }
        do { try await server.restart() } catch { Issue.record(error) }
      }
      let names = (0..<30).map { "errand \($0)" }
      let results = try await PostgresJournal.run(names, stages: 5, on: [journal, other], script)
      #expect(results == names)
      #expect(try await journal.areChainsWhole(names.count, stages: 5))
      let notes = try await journal.texts("SELECT text FROM note")
      #expect(notes.count == names.count * 6)
      #expect(Set(notes).count == notes.count)
    }

    enum Crash: CaseIterable {
      case server
      /// Of a process of the server's, after which the server ends all others and recovers.
      case backend
    }

    @Test(
      "A server that has crashed counts transactions anew, and no change is missed",
      arguments: Crash.allCases)
    func countsAnew(crash: Crash) async throws {
      let server = PostgresServer.another("anew-\(crash)")
      var options = PostgresJournalOptions()
      // Else a second might not know of the crash yet.
      options.connections = 1
      let journal = try await server.journal(options: options)
      // So that what needs not be in the log at once is not.
      _ = try await journal.texts("ALTER SYSTEM SET wal_writer_delay = '10s'")
      try await server.restart()
      let number = "SELECT pg_current_xact_id()::text"
      var isAnew = false
      repeat {
        let run = try await journal.newRun()
        _ = try await journal.texts("DROP TABLE IF EXISTS witness")
        _ = try await journal.texts("CREATE UNLOGGED TABLE witness AS SELECT 'there' AS text")
        for _ in 0..<50 { _ = try await journal.texts(number) }
        let before = try #require(try await journal.texts(number).first.flatMap { Int($0) })
        let mark = try await journal.changes(since: nil).mark
        switch crash {
        case .server: try await server.restart()
        case .backend:
          let process = try await journal.texts("SELECT pg_backend_pid()::text")
          kill(try #require(process.first.flatMap { Int32($0) }), SIGKILL)
        }
        // The table is emptied by the recovery.
        while (try? await journal.texts("SELECT text FROM witness")) != [] {}
        let after = try #require(try await journal.texts(number).first.flatMap { Int($0) })
        isAnew = after < before
        let now = JournalTime(.system, boot: "boot")
        _ = try await journal.change(run, .cancel, at: now)
        while try await journal.texts(number).first.flatMap({ Int($0) }) ?? 0 <= before {}
        let changes = try await journal.changes(since: mark)
        #expect(changes.runs == nil || changes.runs?[run] == .cancelled)
      } while !isAnew
    }

    @Test("What was being written at a mark is among the changes since then, and nothing before")
    func changesUnderWay() async throws {
      let journal = try await PostgresServer.shared.journal()
      var made: [RunID] = []
      for _ in 0..<3 { made.append(try await journal.newRun()) }
      let runs = made
      let step = """
        INSERT INTO step (run, sequence, version, kind, fence, attempts, began_at, ended_at, payload) \
        SELECT run_uuid($1), n, 1, 0, 1, 1, now(), now(), '1' FROM generate_series(1, $2::int) AS n
        """
      let held = await HeldTransaction(step, ["\(runs[0])", "1"], in: journal)
      // A later transaction that is over at the mark.
      _ = try await journal.write { try $0.execute(step, ["\(runs[1])", "1"]) }
      let mark = try await journal.changes(since: nil).mark
      #expect(try await journal.changes(since: mark).runs == [:])
      try await held.end()
      let changes = try await journal.changes(since: mark)
      #expect(changes.runs == [runs[0]: .ready])
      #expect(try await journal.changes(since: changes.mark).runs == [:])
      // Many steps of one run hide none of another.
      _ = try await journal.write { try $0.execute(step, ["\(runs[2])", "12000"]) }
      let again = "UPDATE step SET xid = pg_current_xact_id() WHERE run = run_uuid($1)"
      _ = try await journal.write { try $0.execute(again, ["\(runs[1])"]) }
      let many = try await journal.changes(since: changes.mark)
      #expect(many.runs == [runs[1]: .ready, runs[2]: .ready])
      await journal.close()
    }

    @Test("Runs from a dump of a server that had counted further are no changes")
    func restored() async throws {
      let journal = try await PostgresServer.shared.journal()
      let time = JournalTime(.system, boot: "boot")
      for run in try await journal.claimed(3, seed: 11, at: time) {
        let claim = RunClaim(id: run.id, sequence: run.sequence, fence: run.fence)
        _ = try await journal.checkpoint(
          Checkpoint(
            claim: claim, version: 1, next: .waiting(Data("1".utf8), until: .distantFuture),
            beganAt: time.date, lease: .seconds(60)), at: time)
      }
      // The numbers of transactions stay as they were in the other server.
      for (table, column) in [("step", "xid"), ("run", "rested"), ("report", "xid")] {
        _ = try await journal.texts("UPDATE \(table) SET \(column) = '900000000000'")
      }
      let mark = try await journal.changes(since: nil).mark
      #expect(try await journal.changes(since: mark).runs?.isEmpty == true)
      let run = try await journal.newRun()
      _ = try await journal.change(run, .cancel, at: time)
      #expect(try await journal.changes(since: mark).runs == [run: .cancelled])
      await journal.close()
    }

    @Test(
      "Runs whose claim had no answer are given back by the next one",
      arguments: CuttingProxy.Cut.allCases)
    func claimsGivenBack(kind: CuttingProxy.Cut) async throws {
      let server = PostgresServer.shared
      var options = PostgresJournalOptions()
      // Else a second might stay that was not cut.
      options.connections = 1
      let direct = try await server.journal(options: options)
      let proxy = try CuttingProxy(to: server)
      defer { proxy.end() }
      let text = try await server.text(as: "cut-\(kind)") + " host=\(proxy.folder)"
      let others = "SELECT pid::text FROM pg_stat_activity WHERE application_name = 'cut-\(kind)'"
      let time = JournalTime(.system, boot: "boot")
      let request = ClaimRequest(
        worker: "worker", flows: [.init(flow: "flow", version: 1, limit: 1)], lease: .seconds(60))
      var number = 0
      var lost = 0
      repeat {
        number += 1
        let run = try await direct.newRun()
        let journal = try await PostgresJournal(text, options: direct.options)
        proxy.cut(kind, at: number)
        var claim = try? await journal.claim(request, at: time)
        if claim == nil {
          // Until the server, too, has noticed: its transaction locks the run.
          while try await direct.texts(others) != [] {}
          lost += try await direct.run(run)?.state == .running ? 1 : 0
          claim = try await journal.claim(request, at: time)
        }
        let record = try #require(claim?.runs.first?.record, "cut \(kind) \(number)")
        #expect(record.id == run)
        #expect(record.attempts == 1)
        #expect(record.crashes == 0)
        _ = try await direct.change(run, .cancel, at: time)
        await journal.close()
      } while proxy.requests >= number
      #expect(number > 4)
      #expect(lost == (kind == .after ? 1 : 0))
    }
  }

  extension PostgresJournal {
    /// Starts a run of the flow named flow.
    fileprivate func newRun() async throws -> RunID {
      let time = JournalTime(.system, boot: "boot")
      let start = RunStart(
        id: RunID(at: time.date), flow: "flow", version: 1,
        payload: Data("0".utf8))
      return try await self.start(start, at: time).id
    }
  }
#endif
