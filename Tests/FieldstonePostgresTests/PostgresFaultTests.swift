#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import Testing

  /// Connections, servers and transactions that fail: what is unknown is looked up, and nothing is lost,
  /// broken or written twice.
  @Suite(
    "What fails between a runner and PostgreSQL",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresFaultTests {
    /// Each stage writes its number, if it writes.
    private func script(writes: Bool) -> Errand.Script {
      Errand.Script { errand, context in
        guard writes else { return }
        context.atCheckpoint { (transaction: PostgresTransaction) in
          try transaction.execute("INSERT INTO note VALUES ($1)", ["\(errand.number)"])
        }
      }
    }

    @Test(
      "A connection is cut at every request of checkpoints, before it or before its answer",
      arguments: CuttingProxy.Cut.allCases, [false, true])
    func cut(kind: CuttingProxy.Cut, writes: Bool) async throws {
      let server = PostgresServer.shared
      let direct = try await server.journal()
      _ = try await direct.texts("CREATE TABLE note (text text)")
      let proxy = try CuttingProxy(to: server)
      defer { proxy.end() }
      let text = try await server.text() + " host=\(proxy.folder)"
      var number = 0
      repeat {
        number += 1
        let cut = try await PostgresJournal(text, options: direct.options)
        proxy.cut(kind, at: number)
        let journal = CheckpointsElsewhere(decorated: direct, checkpoints: cut)
        let runner = try DurableRunner(
          journal: journal, flows: [DurableFlow(Errand.self, services: script(writes: writes))],
          options: DurableRunnerOptions(worker: "worker", pollInterval: .milliseconds(20)))
        let work = Task { try await runner.run() }
        let run = try await runner.start(Errand(name: "\(number)", number: 2), key: "\(number)")
        #expect(try await run.value == "\(number)")
        #expect(
          try await direct.steps(of: run.id, after: nil, limit: 9).steps.map(\.fence) == [1, 1, 1])
        let notes = try await direct.texts("DELETE FROM note RETURNING text")
        #expect(notes.sorted() == (writes ? ["0", "1", "2"] : []), "cut \(kind) \(number)")
        await runner.shutdown()
        try await work.value
        await cut.close()
        // Until none is left to be cut.
      } while proxy.requests >= number
      #expect(number > (writes ? 12 : 5))
      #expect(try await direct.areChainsWhole(number, stages: 2))
    }

    @Test(
      "A pause leaves one audit row, whichever request's connection is cut",
      arguments: CuttingProxy.Cut.allCases)
    func cutPause(kind: CuttingProxy.Cut) async throws {
      let server = PostgresServer.shared
      let direct = try await server.journal()
      let proxy = try CuttingProxy(to: server)
      defer { proxy.end() }
      let text = try await server.text() + " host=\(proxy.folder)"
      let time = JournalTime(.system, boot: "boot")
      var number = 0
      repeat {
        number += 1
        let target = PauseTarget.flow("flow \(number)")
        let cut = try await PostgresJournal(text, options: direct.options)
        proxy.cut(kind, at: number)
        // The end has more digits than the server keeps.
        try await cut.pause(
          target, until: time.date + 1_000 + 1e-7, by: "ada", at: time)
        let rows = try await direct.audit(AuditQuery(subject: .flow(target.flow))).records
        #expect(rows.map(\.actor) == ["ada"], "cut \(kind) \(number)")
        #expect(rows.first?.before == nil)
        await cut.close()
        // Until none is left to be cut.
      } while proxy.requests >= number
      #expect(number > 3)
      // It is no repeat, though it changes nothing.
      try await direct.pause(.flow("flow 1"), until: nil, by: "ada", at: time)
      try await direct.pause(.flow("flow 1"), until: nil, by: "ada", at: time)
      #expect(try await direct.audit(AuditQuery(subject: .flow("flow 1"))).records.count == 3)
    }

    @Test(
      "A claim that was rolled back gives nothing back of what another worker has claimed since")
    func rolledBackClaim() async throws {
      let server = PostgresServer.shared
      let journal = try await server.journal()
      let other = try await PostgresJournal(server.text(), options: journal.options)
      let time = JournalTime(.system, boot: "boot")
      let start = RunStart(
        id: RunID(at: time.date), flow: "errand", version: 1, payload: Data("1".utf8))
      _ = try await journal.start(start, at: time)
      _ = try await journal.texts(
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'by chance' USING ERRCODE = '57014'; END $$
        """)
      _ = try await journal.texts(
        """
        CREATE CONSTRAINT TRIGGER refuse AFTER UPDATE ON run DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.worker = 'a') EXECUTE FUNCTION refuse()
        """)
      func claim(_ journal: PostgresJournal, by worker: String) async throws -> [RunRecord] {
        try await journal.claim(
          ClaimRequest(
            worker: worker, flows: [.init(flow: "errand", version: 1, limit: 1)],
            lease: .seconds(1_200)), at: time
        ).runs.map(\.record)
      }
      await #expect {
        _ = try await claim(journal, by: "a")
      } throws: {
        ($0 as? JournalError)?.isTransient == true
      }
      _ = try await journal.texts("DROP TRIGGER refuse ON run")
      let held = try #require(try await claim(other, by: "b").first)
      #expect(held.fence == 1)
      #expect(try await claim(journal, by: "a").isEmpty)
      try await other.checkpoint(
        Checkpoint(
          claim: RunClaim(id: held.id, sequence: held.sequence, fence: held.fence), version: 1,
          next: .completion(Data("2".utf8)), beganAt: time.date, lease: .seconds(1_200)), at: time)
      #expect(try await journal.run(held.id)?.state == .completed)
    }

    @Test(
      "Where the server is gone, one of the checkpoints that wait tries to connect, and not each")
    func gone() async throws {
      let server = PostgresServer.shared
      let direct = try await server.journal()
      let proxy = try CuttingProxy(to: server)
      defer { proxy.end() }
      var options = direct.options
      options.checkpointConnections = 1
      let journal = try await PostgresJournal(
        server.text() + " host=\(proxy.folder)", options: options)
      let time = JournalTime(.system, boot: "boot")
      let runs = try await direct.claimed(16, seed: 3, at: time)
      let (begun, goOn) = (Gate(), DispatchSemaphore(value: 0))
      let errors = await withTaskGroup(of: (any Error)?.self) { group in
        func checkpoint(_ run: RunRecord, _ write: @escaping @Sendable () -> Void) {
          let checkpoint = Checkpoint(
            claim: RunClaim(id: run.id, sequence: run.sequence, fence: run.fence), version: 1,
            next: .stage(Data("1".utf8)), beganAt: time.date, lease: .seconds(60),
            writes: [CheckpointWrite { _ in write() }])
          group.addTask {
            do {
              try await journal.checkpoint(checkpoint, at: time)
              return nil
            } catch { return error }
          }
        }
        checkpoint(runs[0]) {
          begun.open()
          goOn.wait()
        }
        await begun.wait()
        // The others wait for the only connection.
        for run in runs.dropFirst() { checkpoint(run) {} }
        while journal.waitingCheckpoints < 15 { await Task.yield() }
        proxy.cut(.before, at: 1, thenRefuses: true)
        goOn.signal()
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(errors.count == 16)
      #expect(errors.allSatisfy { ($0 as? JournalError)?.isTransient == true })
      #expect(proxy.refused == 1)
    }

    @Test("Where the server is gone, one of the calls that wait tries to connect, and not each")
    func goneForCalls() async throws {
      let server = PostgresServer.shared
      let direct = try await server.journal()
      let proxy = try CuttingProxy(to: server)
      defer { proxy.end() }
      var options = direct.options
      options.connections = 1
      let journal = try await PostgresJournal(
        server.text() + " host=\(proxy.folder)", options: options)
      let none = RunID(at: Date(timeIntervalSince1970: 1))
      let (begun, goOn) = (Gate(), DispatchSemaphore(value: 0))
      let errors = await withTaskGroup(of: (any Error)?.self) { group in
        func add(_ call: @escaping @Sendable () async throws -> Void) {
          group.addTask {
            do {
              try await call()
              return nil
            } catch { return error }
          }
        }
        add {
          try await journal.write { _ in
            begun.open()
            goOn.wait()
          }
        }
        await begun.wait()
        // The others wait for the only connection.
        for _ in 0..<15 { add { _ = try await journal.run(none) } }
        while journal.waitingCalls < 15 { await Task.yield() }
        proxy.cut(.before, at: 1, thenRefuses: true)
        goOn.signal()
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(errors.count == 16)
      #expect(errors.allSatisfy { ($0 as? JournalError)?.isTransient == true })
      // The first one asks twice.
      #expect(proxy.refused == 2)
      // A later call tries anew.
      proxy.cut(.before, at: .max)
      #expect(try await journal.run(none) == nil)
      await journal.close()
    }

    @Test("Where a connection works, a server that refuses another is asked for each call")
    func refusesAnother() async throws {
      let server = PostgresServer.shared
      let direct = try await server.journal()
      let proxy = try CuttingProxy(to: server)
      defer { proxy.end() }
      var options = direct.options
      options.connections = 2
      let journal = try await PostgresJournal(
        server.text() + " host=\(proxy.folder)", options: options)
      let (begun, goOn) = (Gate(), DispatchSemaphore(value: 0))
      async let written: Void = journal.write { _ in
        begun.open()
        goOn.wait()
      }
      await begun.wait()
      proxy.cut(.before, at: .max, thenRefuses: true)
      let failures = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<5 {
          group.addTask {
            do {
              _ = try await journal.run(RunID(at: Date(timeIntervalSince1970: 1)))
              return false
            } catch { return (error as? JournalError)?.isTransient == true }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(failures == Array(repeating: true, count: 5))
      // Each asks twice, also those that waited while another one was refused.
      #expect(proxy.refused == 10)
      goOn.signal()
      try await written
      await journal.close()
    }

    @Test("A checkpoint goes on while a larger batch hangs on the other connection")
    func hanging() async throws {
      let journal = try await PostgresServer.shared.journal()
      let time = JournalTime(.system, boot: "boot")
      let runs = try await journal.claimed(8, seed: 4, at: time)
      /// A checkpoint; with a gate, its own write opens that and hangs until it is told to go on.
      @Sendable func checkpoint(
        _ run: RunRecord, begun: Gate? = nil, goOn: DispatchSemaphore? = nil
      ) async throws {
        let write = CheckpointWrite { _ in
          begun?.open()
          goOn?.wait()
        }
        try await journal.checkpoint(
          Checkpoint(
            claim: RunClaim(id: run.id, sequence: run.sequence, fence: run.fence), version: 1,
            next: .stage(Data("1".utf8)), beganAt: time.date, lease: .seconds(60),
            writes: begun == nil ? [] : [write]), at: time)
      }
      try await withThrowingTaskGroup { group in
        // Both connections are busy, so the next five are one batch.
        let gates = [Gate(), Gate(), Gate()]
        let semaphores = (0..<3).map { _ in DispatchSemaphore(value: 0) }
        for number in 0..<2 {
          group.addTask {
            try await checkpoint(runs[number], begun: gates[number], goOn: semaphores[number])
          }
          await gates[number].wait()
        }
        group.addTask { try await checkpoint(runs[2], begun: gates[2], goOn: semaphores[2]) }
        for run in runs[3..<7] { group.addTask { try await checkpoint(run) } }
        while journal.waitingCheckpoints < 5 { await Task.yield() }
        semaphores[0].signal()
        await gates[2].wait()
        semaphores[1].signal()
        try await checkpoint(runs[7])
        semaphores[2].signal()
        try await group.waitForAll()
      }
      await journal.close()
    }

    @Test(
      "What only may pass is tried again; what the write itself got wrong is not",
      arguments: [
        ("08006", true), ("25006", true), ("25P03", true), ("25P04", true), ("40001", true),
        ("40P01", true), ("53100", true), ("53300", true), ("55P03", false), ("57014", false),
        ("57P01", true), ("57P03", true), ("58030", true), ("22012", false), ("23505", false),
        ("42501", false), ("42P01", false), ("P0001", false),
      ])
    func classes(state: String, isAgain: Bool) async throws {
      let journal = try await PostgresServer.shared.journal()
      let tries = Locked(0)
      let script = Errand.Script { errand, context in
        context.atCheckpoint { (transaction: PostgresTransaction) in
          let isFirst = tries.withLock { tries in
            tries += 1
            return tries == 1
          }
          guard isFirst else { return }
          try transaction.execute("DO $$ BEGIN RAISE SQLSTATE '\(state)'; END $$")
        }
      }
      let results = try await PostgresJournal.run(["one"], stages: 0, on: [journal], script)
      #expect(results == ["one"])
      // What is the write's own fault is an attempt that has failed.
      let run = try #require(try await journal.runs(RunQuery()).runs.first)
      let step = try #require(
        try await journal.steps(of: run.id, after: nil, limit: 1).steps.first)
      #expect(step.attempts == (isAgain ? 1 : 2))
      #expect((step.error == nil) == isAgain)
    }

    @Test(
      "A statement that takes too long, by the time-out of the server, is made again by the next attempt"
    )
    func statementTimeout() async throws {
      let journal = try await PostgresServer.shared.journal()
      let isFirst = Locked(true)
      let script = Errand.Script { _, context in
        context.atCheckpoint { (transaction: PostgresTransaction) in
          guard isFirst.withLock({ $0.exchange(false) }) else { return }
          try transaction.execute("SET LOCAL statement_timeout = '1ms'")
          try transaction.execute("SELECT pg_sleep(60)")
        }
      }
      let results = try await PostgresJournal.run(["one"], stages: 1, on: [journal], script)
      #expect(results == ["one"])
      #expect(try await journal.areChainsWhole(1, stages: 1))
    }

    @Test("Two checkpoints whose writes wait for each other are both made")
    func deadlock() async throws {
      let journal = try await PostgresServer.shared.journal()
      _ = try await journal.texts("CREATE TABLE note (text text, number int)")
      _ = try await journal.texts("INSERT INTO note VALUES ('a', 0), ('b', 0)")
      let hasBegun = Locked(false)
      let gates = ["a": DispatchSemaphore(value: 0), "b": DispatchSemaphore(value: 0)]
      let tries = Locked(0)
      let script = Errand.Script { errand, context in
        let other = errand.name == "a" ? "b" : "a"
        // While the connection of one waits, the other gets the second.
        while errand.name == "b", !hasBegun.withLock({ $0 }) { await Task.yield() }
        let isFirst = Locked(true)
        context.atCheckpoint { (transaction: PostgresTransaction) in
          tries.withLock { $0 += 1 }
          let sql = "UPDATE note SET number = number + 1 WHERE text = $1"
          try transaction.execute(sql, [errand.name])
          if isFirst.withLock({ $0.exchange(false) }) {
            hasBegun.withLock { $0 = true }
            gates[errand.name]?.signal()
            gates[other]?.wait()
          }
          try transaction.execute(sql, [other])
        }
      }
      let results = try await PostgresJournal.run(["a", "b"], stages: 0, on: [journal], script)
      #expect(results == ["a", "b"])
      // Three, or more: what is made again may take the row before the one that waits for it.
      #expect(tries.withLock { $0 } >= 3)
      #expect(try await journal.texts("SELECT number::text FROM note") == ["2", "2"])
      #expect(try await journal.areChainsWhole(2, stages: 0))
    }
  }

  /// A journal whose checkpoints go by connections of their own.
  private struct CheckpointsElsewhere: JournalDecorator {
    let decorated: any Journal
    let checkpoints: PostgresJournal

    func checkpoint(
      _ checkpoint: Checkpoint, at time: JournalTime
    ) async throws -> CheckpointReceipt {
      try await checkpoints.checkpoint(checkpoint, at: time)
    }
  }
#endif
