#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import FieldstoneServing
  import Foundation

  extension Inspector {
    /// The parts of a page by the clock that decides when runs are due, which may be a server's.
    var journalParts: PageParts {
      get async throws {
        var parts = parts
        parts.now = try await journal.currentDate(byCaller: parts.now)
        return parts
      }
    }

    /// The parts of a page that says what holds back the runs of the journal.
    var waitingParts: PageParts {
      get async throws {
        var parts = try await journalParts
        let journal = try journal
        parts.waits = WaitReasons(
          try await journal.surveyedPauses(of: []), workers: try await journal.workers(),
          limits: try await journal.surveyedLimits(at: JournalTime(time, boot: "inspector")),
          at: parts.now)
        return parts
      }
    }

    /// Parts of a page with the pauses of the runs that it shows: there may be a pause of each of
    /// 100,000 runs.
    func adding(pausesOf runs: [RunRecord], to parts: PageParts) async throws -> PageParts {
      let paused = runs.filter(\.isPaused).map(\.id)
      if paused.isEmpty { return parts }
      var parts = parts
      parts.waits.add(try await journal.surveyedPauses(of: paused))
      return parts
    }

    /// The page of a flow.
    func flowPage(_ query: FormValues) async throws -> InspectorPage {
      guard let flow = query["name"] else { throw InspectorRefusal.noPage }
      let parts = try await waitingParts
      let journal = try journal
      // Its own, by index: another flow may have all of the youngest runs.
      var counts: [RunState: RunCount] = [:]
      for state in RunState.allCases {
        counts[state] = try await journal.count(RunQuery(flow: flow, states: [state]))
      }
      let runs = try await journal.runs(RunQuery(flow: flow, limit: 8)).runs
      return FlowPage(
        parts: try await adding(pausesOf: runs, to: parts), flow: flow, counts: counts,
        limits: parts.waits.limits(of: flow), runs: runs,
        notice: query["done"].flatMap(PauseAction.init).map { action in
          action.result(query["key"].map { .concurrencyKey($0, flow: flow) } ?? .flow(flow))
        }
      ).page
    }

    /// The page that asks to confirm a pause or its end.
    func pausePage(_ action: PauseAction, _ query: FormValues) throws -> InspectorPage {
      guard !guardian.options.isReadOnly else {
        throw InspectorRefusal(403, "This inspector only reads; start one without --read-only.")
      }
      _ = try journal
      return PausePage(parts: parts, action: action, target: try PauseTarget(query)).page
    }

    /// Pauses or resumes after the confirmation.
    func postPause(
      _ action: PauseAction, _ post: InspectorPost
    ) async throws -> SiteResponse {
      let values = post.values
      let journal = try journal
      let target = try PauseTarget(post.target.query)
      let end: PauseEnd
      do throws(InspectorRefusal) {
        end = try PauseEnd(values["until"] ?? "", after: time.now)
      } catch {
        let page = PausePage(
          parts: parts, action: action, target: target, typed: values["until"] ?? "",
          problem: error)
        return html(page.page, target: nil)
      }
      guard values["confirmed"] == "yes" else {
        let page = PausePage(parts: parts, action: action, target: target, end: end)
        return html(page.page, target: nil)
      }
      let now = JournalTime(time, boot: "inspector")
      let until = end.date.map { " until \(StageText.time($0)) UTC" } ?? ""
      var run: RunID?
      if case .run(let id) = target { run = id }
      try await changing(action.rawValue, target.text + until, run: run, by: post) {
        switch action {
        case .pause: try await journal.pause(target, until: end.date, by: post.actor, at: now)
        case .resume: try await journal.resume(target, by: post.actor, at: now)
        }
      }
      return .redirect(to: address.page(of: target, done: action))
    }
  }
#endif
