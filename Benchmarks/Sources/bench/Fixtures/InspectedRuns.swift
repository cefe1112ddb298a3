#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneSQLite
  import FieldstoneServing
  import Foundation
  import GRDBSQLite

  /// The pages of a journal with a million runs, one of them of 100,000 stages, in which a worker
  /// makes a thousand checkpoints a second.
  actor InspectedRuns {
    private let found = FoundRuns(1_000_000)
    private var made: Made?
    /// The place of the next page beside checkpoints: a sample goes on behind the last one.
    private var place = 0

    private struct Made {
      let folder: BenchmarkFolder
      let journal: SQLiteJournal
      let inspector: Inspector
      /// The secret of the inspector's forms.
      let formToken: String
      /// The run with many stages.
      let long: RunID
      /// The runs that a worker has.
      var working: [RunRecord]
    }

    /// The pages, by what they show.
    enum Page: String, CaseIterable {
      case keys = "the page of keys"
      case overview = "the overview"
      case runs = "the newest runs"
      case dead = "dead runs of a flow"
      case middle = "a page from the middle"
      case attribute = "runs by an attribute"
      case prefix = "runs by a key's beginning"
      case fingerprint = "runs by a kind of error"
      case error = "runs by a part of an error that none has"
      case signal = "runs that await a signal"
      case due = "runs that are due"
      case unserved = "runs that wait for a worker"
      case stopped = "the runs that ended last"
      case several = "runs by two filters that find many each"
      case flow = "a flow, with its limits and pauses"
      case limits = "the limits"
      case workers = "the workers"
      case schedules = "the schedules"
      case changes = "the changes"
      case timeline = "the timeline"
      case run = "a run of 100,000 stages"
      case stages = "its stages from the middle"
      case path = "its path as a picture"
      case retryAll = "how many a retry of all dead runs would change"
      case cancelAll = "how many a cancellation of all would change"
      case cancelError = "the same of those with a part of an error that none has"
      case signalAll = "how many a signal to all would reach"
      case editAll = "what a patch of all dead runs would change"
      case forkAll = "how many a fork of all dead runs would copy"
      case pauseAll = "how many a pause of all would hold back"
      case purgeAll = "how many a deletion of all completed ones would delete"
      case full = "runs that wait for their flow's limit"
      case children = "the children of the long run"
      case stage = "the JSON of one of its stages"
      case edit = "the form of its edit"
      case live = "the live part of the newest runs"

      fileprivate func target(_ long: RunID) -> String {
        switch self {
        case .keys: "/keys"
        case .overview: "/"
        case .runs: "/runs"
        case .dead: "/runs?flow=orders&state=dead"
        case .middle: "/runs?flow=orders&state=completed&until=2024-01-10"
        case .attribute: "/runs?flow=orders&attribute=customer=17"
        case .prefix: "/runs?prefix=17-"
        case .fingerprint: "/runs?fingerprint=0000000000000011"
        case .error: "/runs?flow=orders&error=absent"
        case .signal: "/runs?flow=orders&wait=signal"
        case .due: "/runs?flow=orders&wait=due"
        case .unserved: "/runs?flow=orders&wait=unserved"
        case .stopped: "/runs?order=lastStoppedFirst"
        case .several: "/runs?flow=orders&state=dead&stopped-since=2023-11-15&prefix=1"
        case .flow: "/flow?name=orders"
        case .limits: "/limits"
        case .workers: "/workers"
        case .schedules: "/schedules"
        case .changes: "/changes"
        case .timeline: "/timeline?text=absent"
        case .run: "/runs/\(long)"
        case .stages: "/runs/\(long)?before=50000"
        case .path: "/runs/\(long)/path.svg"
        case .retryAll: "/all/retry?flow=orders&state=dead"
        case .cancelAll: "/all/cancel?flow=orders"
        case .cancelError: "/all/cancel?flow=orders&error=absent"
        case .signalAll: "/all/signal?flow=orders"
        case .editAll: "/all/edit?flow=orders&state=dead"
        case .forkAll: "/all/fork?flow=orders&state=dead"
        case .pauseAll: "/all/pause?flow=orders"
        case .purgeAll: "/all/purge?flow=orders&state=completed"
        case .full: "/runs?flow=orders&wait=flow-limit"
        case .children: "/runs/\(long)/children"
        case .stage: "/runs/\(long)/stages/50000.json"
        case .edit: "/runs/\(long)/edit"
        case .live: "/live?page=/runs"
        }
      }

      /// The form that is posted; nil for a page that is read.
      fileprivate var form: String? {
        self == .editAll ? "payload=%7B%22charge%22%3A%7B%22amount%22%3A1300%7D%7D" : nil
      }
    }

    /// The time that so many requests of a page take, in nanoseconds.
    ///
    /// - Parameter hasWork: whether a worker makes a thousand checkpoints a second meanwhile.
    func answer(_ page: Page, times: Int, besideWork hasWork: Bool = true) async throws -> Double {
      let made = try await open()
      let worker = hasWork ? Task { try await self.work(100) } : nil
      let start = ContinuousClock.now
      for _ in 0..<times { try await answer(page, made) }
      let elapsed = ContinuousClock.now - start
      _ = try await worker?.value
      return elapsed / .nanoseconds(1)
    }

    /// The time that a thousand checkpoints take which are made in a second, in nanoseconds.
    ///
    /// - Parameter interval: the time between two requests of pages; nil for none.
    func checkpoints(besideAPageEvery interval: Duration?) async throws -> Double {
      let made = try await open()
      let first = place
      let reader = interval.map { interval in
        Task {
          while true {
            try await Task.sleep(for: interval)
            do {
              try await self.answer(Page.allCases[place % Page.allCases.count], made)
            } catch {
              // The page that is under way at the end of the sample.
              try Task.checkCancellation()
              throw error
            }
            place += 1
          }
        }
      }
      let elapsed = try await work(1_000)
      reader?.cancel()
      do { try await reader?.value } catch is CancellationError {}
      // Without pages it would be its own floor.
      if interval != nil, place - first < 5 { throw CocoaError(.fileReadUnknown) }
      return elapsed
    }

    private nonisolated func answer(_ page: Page, _ made: Made) async throws {
      var request = SiteRequest(
        target: page.target(made.long), headers: ["host": "localhost"])
      if let form = page.form {
        request.method = "POST"
        request.headers["origin"] = "http://localhost"
        request.headers["content-type"] = "application/x-www-form-urlencoded"
        request.body = Array("form-token=\(made.formToken)&\(form)".utf8)
      }
      let response = await made.inspector.response(to: request)
      guard response.status == 200 else { throw CocoaError(.fileReadUnknown) }
    }

    /// Makes so many checkpoints, a thousand a second, and returns the time that they took.
    private func work(_ count: Int) async throws -> Double {
      let made = try await open()
      var (sequence, elapsed) = (made.working[0].sequence, Duration.zero)
      let start = ContinuousClock.now
      for turn in 0..<(count / made.working.count) {
        try await Task.sleep(until: start + .milliseconds(turn * made.working.count))
        let began = ContinuousClock.now
        try await Self.checkpoint(made, at: sequence)
        elapsed += ContinuousClock.now - began
        sequence += 1
        for index in made.working.indices { self.made?.working[index].sequence = sequence }
      }
      return elapsed / .nanoseconds(1)
    }

    /// One checkpoint of each run, at the same time.
    private static func checkpoint(_ made: Made, at sequence: Int) async throws {
      try await withThrowingTaskGroup { group in
        for run in made.working {
          group.addTask {
            let claim = RunClaim(id: run.id, sequence: sequence, fence: run.fence)
            let checkpoint = Checkpoint(
              claim: claim, version: 1, next: .stage(WorkingRuns.payload),
              beganAt: WorkingRuns.time.date, lease: .seconds(30))
            try await made.journal.checkpoint(checkpoint, at: WorkingRuns.time)
          }
        }
        try await group.waitForAll()
      }
    }

    private func open() async throws -> Made {
      if let made { return made }
      let (folder, journal) = try await found.open()
      let time = WorkingRuns.time
      let start = RunStart(
        id: RunID(at: Date()), flow: "long", version: 1, payload: WorkingRuns.payload)
      _ = try await journal.start(start, at: time)
      try Self.addStages(100_000, to: start.id, at: folder.file.path())
      for _ in 0..<10 {
        let start = RunStart(
          id: RunID(at: Date()), flow: "work", version: 1, payload: WorkingRuns.payload)
        _ = try await journal.start(start, at: time)
      }
      let claim = try await journal.claim(
        ClaimRequest(
          worker: "bench", flows: [.init(flow: "work", version: 1, limit: 10)],
          lease: .seconds(30)), at: time)
      var options = InspectorOptions()
      options.token = nil
      options.allowsReleaseBuilds = true
      let inspector = Inspector(journal: journal, options: options)
      let page = await inspector.response(
        to: SiteRequest(target: "/all/edit?flow=orders", headers: ["host": "localhost"]))
      let token = String(decoding: page.body, as: UTF8.self)
        .firstMatch(of: /name="form-token" value="([^"]*)"/)
      let made = Made(
        folder: folder, journal: journal, inspector: inspector, formToken: String(token?.1 ?? ""),
        long: start.id, working: claim.runs.map(\.record))
      self.made = made
      return made
    }

    /// Puts so many stages before the one that a run is at, past the journal's own code.
    private static func addStages(_ count: Int, to id: RunID, at path: String) throws {
      var connection: OpaquePointer?
      defer { sqlite3_close(connection) }
      let sql = """
        WITH RECURSIVE stages (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM stages LIMIT \(count))
        INSERT INTO fieldstone_step (run, sequence, fence, kind, version, attempts, began_at,
        ended_at, worker, error, payload)
        SELECT number, n, 1, 0, 1, 1, 7e8 + n, 7e8 + n + 1, 'bench', NULL, payload
        FROM stages, fieldstone_run WHERE id = '\(id)';
        UPDATE fieldstone_run SET sequence = \(count) WHERE id = '\(id)';
        PRAGMA wal_checkpoint(TRUNCATE);
        """
      guard sqlite3_open(path, &connection) == SQLITE_OK,
        sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK
      else { throw RawJournal.Failure(code: sqlite3_errcode(connection)) }
    }
  }
#endif
