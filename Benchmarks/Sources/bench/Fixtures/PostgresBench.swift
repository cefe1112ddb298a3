#if POSTGRES
  import FieldstoneDurable
  import FieldstonePostgres
  import Foundation

  /// A server of this process's own, made when it is first asked, and journals in it.
  ///
  /// A shell ends it with this process, however that ends.
  actor PostgresBench {
    /// What pgbench does.
    enum Script: String {
      /// The statement of a checkpoint, for one run of each client.
      case checkpoint = """
        WITH u AS (UPDATE floor.run SET sequence = sequence + 1, attempts = 1, crashes = 0, \
        changed_at = clock_timestamp(), lease_end = clock_timestamp() + interval '60 s' \
        WHERE id = ('00000000-0000-0000-0000-' || lpad(:client_id::text, 12, '0'))::uuid \
        AND fence = 1 AND state = 1 RETURNING id, sequence, version, fence, worker) \
        INSERT INTO floor.step (run, sequence, version, kind, fence, attempts, began_at, ended_at, \
        worker, payload) SELECT id, sequence, version, 0, fence, 1, clock_timestamp(), \
        clock_timestamp(), worker, convert_to(repeat('x', 200), 'UTF8') FROM u;
        """
      /// Sixteen runs with their stages.
      case read = """
        \\set n random(1, 999900)
        SELECT r.*, s.payload FROM million.run r JOIN million.step s ON s.run = r.id \
        AND s.sequence = r.sequence WHERE r.id = ANY (SELECT ('00000000-0000-0000-0000-' || \
        lpad(n::text, 12, '0'))::uuid FROM generate_series(:n, :n + 15) n);
        """
    }

    private struct Failure: Error {
      let text: String
    }

    private let life = Pipe()
    private var made: (folder: BenchmarkFolder, socket: String)?
    private var number = 0
    private var million: PostgresJournal?

    static let payload = Data("\"\(String(repeating: "x", count: 198))\"".utf8)
    static let time = JournalTime(
      date: Date(timeIntervalSinceReferenceDate: 700_000_000), uptime: .zero, boot: "bench")

    /// The table of runs after half of many checkpoints and after all, in bytes.
    private var growth: (half: Double, whole: Double)?

    /// Runs that a worker has, in a journal of their own.
    ///
    /// - Parameter isPooled: whether PgBouncer is between the journal and the server, and shares its
    ///   sessions between transactions.
    func runs(_ count: Int, isPooled: Bool = false) async throws -> PostgresRuns {
      try await PostgresRuns(count, in: newJournal(isPooled: isPooled))
    }

    /// Runs whose checkpoints differ in what they do, or not.
    func mixture(_ count: Int, isMixed: Bool) async throws -> PostgresMixture {
      try await PostgresMixture(count, isMixed: isMixed, in: newJournal())
    }

    /// The size of the table of runs after half of many checkpoints or after all, in bytes.
    ///
    /// They are made once.
    func tableOfRuns(after checkpoints: Int, half: Bool) async throws -> Double {
      if growth == nil {
        let runs = try await self.runs(1_024)
        let schema = "bench \(number)"
        try await runs.checkpoint(checkpoints / 2_048)
        let size = "SELECT pg_relation_size('\"\(schema)\".run')"
        let first = try value(size)
        try await runs.checkpoint(checkpoints / 2_048, after: checkpoints / 2_048)
        growth = (first, try value(size))
        // The connections tell what they have done when they end.
        let updates = "FROM pg_stat_user_tables WHERE relname = 'run' AND schemaname = '\(schema)'"
        await runs.close()
        let all = try value("SELECT n_tup_upd \(updates)")
        let inPlace = try value("SELECT n_tup_hot_upd \(updates)")
        print("\(Int(inPlace)) of \(Int(all)) updates of runs were made in place.")
        guard all > 0, inPlace > 0.99 * all else {
          throw Failure(text: "Only \(inPlace) of \(all) updates were made in place.")
        }
      }
      return (half ? growth?.half : growth?.whole) ?? 0
    }

    private func value(_ sql: String) throws -> Double {
      let text = try Self.run(
        "psql", ["-Atc", sql, "-h", server().socket, "-U", "fieldstone", "postgres"])
      return Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    /// Runs that a worker has, in one journal over several servers.
    static func runs(_ count: Int, on servers: some Sequence<PostgresBench>) async throws
      -> PostgresRuns
    {
      var shards: [any Journal] = []
      for server in servers { shards.append(try await server.newJournal()) }
      return try await PostgresRuns(count, in: ShardedJournal(shards))
    }

    private func newJournal(isPooled: Bool = false) async throws -> PostgresJournal {
      number += 1
      return try await journal("bench \(number)", isPooled: isPooled)
    }

    /// The time of so many transactions without that of connecting, in nanoseconds.
    func pgbench(_ script: Script, clients: Int, transactions: Int) async throws -> Double {
      let (folder, socket) = try server()
      switch script {
      case .checkpoint:
        _ = try await journal("floor")
        try psql(
          """
          TRUNCATE floor.run, floor.step;
          INSERT INTO floor.run (id, flow, version, priority, state, sequence, fence, attempts, crashes,
            lone_crashes, is_alone, started_at, changed_at, waits, wakes_at, worker, lease_end, check_at)
          SELECT ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, 'orders', 1, 0, 1, 0, 1,
            1, 0, 0, false, now(), now(), 0, now(), 'bench', now(), now()
          FROM generate_series(0, 255) n;
          """)
      case .read: _ = try await claims()
      }
      let file = folder.url.appending(path: "\(script).sql")
      try Data(script.rawValue.utf8).write(to: file)
      let text = try Self.run(
        "pgbench",
        [
          "-n", "-M", "prepared", "-h", socket, "-U", "fieldstone", "-c", "\(clients)", "-j", "2",
          "-t", "\(transactions / clients)", "-f", file.path(), "postgres",
        ])
      let rate = text.split(separator: "\n").first { $0.hasPrefix("tps = ") }
        .flatMap { $0.dropFirst(6).split(separator: " ").first }.flatMap { Double($0) }
      guard let rate, rate > 0 else { throw Failure(text: text) }
      return Double(transactions / clients * clients) / rate * 1e9
    }

    /// The time of so many claims of sixteen runs, in nanoseconds; they are given back meanwhile.
    func claim(times: Int) async throws -> Double {
      let journal = try await claims()
      let request = ClaimRequest(
        worker: "bench", flows: [.init(flow: "orders", version: 1, limit: 16)],
        lease: .seconds(600))
      var elapsed = Duration.zero
      for _ in 0..<times {
        let start = ContinuousClock.now
        let claim = try await journal.claim(request, at: Self.time)
        elapsed += ContinuousClock.now - start
        guard claim.runs.count == 16 else { throw Failure(text: "\(claim.runs.count) runs") }
        for run in claim.runs {
          let claim = RunClaim(
            id: run.record.id, sequence: run.record.sequence, fence: run.record.fence)
          try await journal.park(Parking(claim: claim, reason: .shutdown), at: Self.time)
        }
      }
      return elapsed / .nanoseconds(1)
    }

    /// The CPU time of the server while checkpoints are made, in nanoseconds.
    func serverTime(ofCheckpoints count: Int, runs: Int) async throws -> Double {
      let working = try await self.runs(runs)
      let before = try processorTime()
      try await working.checkpoint(count / runs)
      return try processorTime() - before
    }

    /// Of all of the server's processes, those that have ended left out.
    private func processorTime() throws -> Double {
      let ticks = try Self.run(
        "sh",
        [
          "-c",
          "cat /proc/[0-9]*/stat 2>/dev/null | grep '(postgres)' | "
            + "awk '{ sum += $14 + $15 } END { print sum + 0 }'",
        ])
      return (Double(ticks.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0) * 1e7
    }

    private func claims() async throws -> PostgresJournal {
      if let million { return million }
      let journal = try await journal("million")
      try psql(
        """
        INSERT INTO million.run (id, flow, version, priority, state, sequence, fence, attempts, crashes,
          lone_crashes, is_alone, started_at, changed_at, waits, wakes_at)
        SELECT ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, 'orders', 1, 0, 0, 0, 0, 0,
          0, 0, false, now(), now(), 0, now() - n * interval '1 ms' FROM generate_series(1, 1000000) n;
        INSERT INTO million.step (run, sequence, version, payload)
        SELECT id, 0, 1, convert_to('"' || repeat('x', 198) || '"', 'UTF8') FROM million.run;
        VACUUM ANALYZE million.run; VACUUM ANALYZE million.step; CHECKPOINT;
        """)
      million = journal
      return journal
    }

    private func journal(
      _ schema: String, isPooled: Bool = false
    ) async throws -> PostgresJournal {
      try await PostgresJournal(
        "host=\(server().socket)\(isPooled ? "/run" : "") user=fieldstone dbname=postgres",
        options: PostgresJournalOptions(schema: schema, isPooled: isPooled))
    }

    private func psql(_ sql: String) throws {
      // Statement by statement: VACUUM can't be in a transaction.
      for statement in sql.split(separator: ";") where statement.contains(where: \.isLetter) {
        _ = try Self.run(
          "psql",
          [
            "-v", "ON_ERROR_STOP=1", "-q", "-h", server().socket, "-U", "fieldstone", "-c",
            String(statement), "postgres",
          ])
      }
    }

    private func server() throws -> (folder: BenchmarkFolder, socket: String) {
      if let made { return made }
      let folder = try BenchmarkFolder()
      let socket = folder.url.path().trimmingCharacters(in: .init(charactersIn: "/"))
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", Self.script, "sh", "/\(socket)"]
      let answer = Pipe()
      process.standardInput = life
      process.standardOutput = answer
      try process.run()
      guard String(decoding: answer.fileHandleForReading.availableData, as: UTF8.self) == "ready\n"
      else { throw Failure(text: "no server: see /\(socket)/log") }
      made = (folder, "/\(socket)")
      return (folder, "/\(socket)")
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> String {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = [program] + arguments
      let output = Pipe()
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      let text = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw Failure(text: "\(program): status \(process.terminationStatus)")
      }
      return String(decoding: text, as: UTF8.self)
    }

    // PostgreSQL does not run as root.
    private static let script = """
      folder=$1 as=
      for programs in /usr/lib/postgresql/*/bin; do :; done
      [ -x "$programs/initdb" ] || programs=$(dirname "$(command -v initdb)")
      cd "$folder" && mkdir run || exit 1
      if [ "$(id -u)" = 0 ]; then
        as="setpriv --reuid=nobody --regid=$(id -gn nobody) --clear-groups"
        chown nobody "$folder" run
      fi
      export HOME="$folder"
      {
        $as "$programs/initdb" -D run/data -U fieldstone --auth=trust --no-sync -E UTF8 --locale=C &&
        $as "$programs/pg_ctl" -D run/data -w -l run/server.log start -o "-c listen_addresses= \\
          -c unix_socket_directories=$folder -c max_connections=300 -c shared_buffers=512MB \\
          -c max_wal_size=8GB"
      } >log 2>&1 && {
        PATH="$PATH:/usr/sbin"
        if command -v pgbouncer; then
          {
            printf '[databases]\\n* = host=%s user=fieldstone\\n' "$folder"
            printf '[pgbouncer]\\nunix_socket_dir = %s/run\\nlisten_port = 5432\\n' "$folder"
            printf 'auth_type = any\\npool_mode = transaction\\ndefault_pool_size = 8\\n'
            printf 'logfile = %s/run/pool.log\\npidfile = %s/run/pool.pid\\n' "$folder" "$folder"
          } >pool.ini
          chmod a+r pool.ini
          $as pgbouncer -d pool.ini
        fi
      } >>log 2>&1 && echo ready
      cat >/dev/null
      [ ! -e run/pool.pid ] || kill "$(cat run/pool.pid)"
      $as "$programs/pg_ctl" -D run/data -m immediate stop >>log 2>&1
      cd / && rm -rf "$folder"
      """
  }

  /// Runs that a worker has, over connections that are open, as those of pgbench are.
  final class PostgresRuns: Sendable {
    private let journal: any Journal
    private let runs: [RunRecord]
    /// The checkpoints of each run that open the connections.
    private static let first = 4

    init(_ count: Int, in journal: any Journal) async throws {
      self.journal = journal
      for _ in 0..<count {
        let start = RunStart(
          id: RunID(at: PostgresBench.time.date), flow: "orders", version: 1,
          payload: PostgresBench.payload)
        _ = try await journal.start(start, at: PostgresBench.time)
      }
      // A claim may give those of one server alone.
      var runs: [RunRecord] = []
      while runs.count < count {
        let request = ClaimRequest(
          worker: "bench", flows: [.init(flow: "orders", version: 1, limit: count - runs.count)],
          lease: .seconds(600))
        runs += try await journal.claim(request, at: PostgresBench.time).runs.map(\.record)
      }
      self.runs = runs
      try await checkpoint(Self.first, from: 0)
    }

    /// Takes each run so many stages further, all runs at the same time.
    ///
    /// - Parameter others: the number of such stages before.
    func checkpoint(_ times: Int, after others: Int = 0) async throws {
      try await checkpoint(times, from: Self.first + others)
    }

    /// Ends the connections of a journal of one server.
    func close() async { await (journal as? PostgresJournal)?.close() }

    private func checkpoint(_ times: Int, from first: Int) async throws {
      try await withThrowingTaskGroup { group in
        for run in runs {
          group.addTask { try await self.checkpoint(run, first..<first + times) }
        }
        try await group.waitForAll()
      }
    }

    private func checkpoint(_ run: RunRecord, _ sequences: Range<Int>) async throws {
      for sequence in sequences {
        let checkpoint = Checkpoint(
          claim: RunClaim(id: run.id, sequence: sequence, fence: run.fence), version: 1,
          next: .stage(PostgresBench.payload), beganAt: PostgresBench.time.date,
          lease: .seconds(60))
        try await journal.checkpoint(checkpoint, at: PostgresBench.time)
      }
    }
  }
#endif
