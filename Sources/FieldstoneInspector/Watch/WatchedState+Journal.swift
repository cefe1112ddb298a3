#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import Foundation

  extension WatchedState {
    /// The maximum number of rows in each table of a journal.
    private static let shownRows = 50

    /// The state of a journal; a journal that can't be read has the reason.
    static func of(
      _ journal: any Journal, _ headline: WatchedHeadline, at time: JournalTime
    ) async -> Self {
      var state = Self(headline: headline)
      do {
        var counts: [(RunState, RunCount)] = []
        for runState in RunState.allCases {
          counts.append((runState, try await journal.count(RunQuery(states: [runState]))))
        }
        state.facts = counts.map { Fact(name: $0.rawValue.capitalized, text: "\($1)") }
        let limits = try await journal.surveyedLimits(at: time).filter(\.holdsBack)
        // Those whose time is over may be in front.
        let pauses = try await journal.surveyedPauses(atMost: 20 * shownRows).filter { pause in
          pause.until.map { $0 > time.date } ?? true
        }
        let workers = try await journal.workers()
        state.tables = [
          table("Full limits", ["Flow", "Limit", "Taken up"], limits, rows(of:)),
          table("Pauses", ["Of", "Until"], pauses) { [row(of: $0)] },
          table("Workers", ["Worker", "State", "Runs", "Flows", "Last seen"], workers) { worker in
            [
              [
                worker.name, worker.isSilent(at: time.date) ? "silent" : "at work",
                "\(worker.runCount)", ReportText.flows(of: worker, atMost: 5),
                StageText.time(worker.lastSeenAt) + " UTC",
              ]
            ]
          },
        ]
      } catch {
        state.headline = WatchedHeadline(
          phase: "not readable", tone: .bad, detail: InspectorRefusal(error).message)
      }
      return state
    }

    private static func table<Item>(
      _ title: String, _ columns: [String], _ items: [Item], _ rows: (Item) -> [[String]]
    ) -> Table {
      let all = items.lazy.flatMap(rows).prefix(shownRows + 1)
      return Table(
        title: title, columns: columns, rows: Array(all.prefix(shownRows)),
        note: all.count > shownRows ? "The first \(shownRows) are shown." : nil)
    }

    /// The limits of a flow that hold back runs.
    private static func rows(of standing: LimitStanding) -> [[String]] {
      let limits = standing.limits.effective
      var rows: [[String]] = []
      if standing.isFull, let used = standing.used, let maximum = limits.runs {
        rows.append([standing.flow, "runs", "\(used) of \(maximum)"])
      }
      for key in standing.keys {
        let maximum = limits.perKey?.maximum ?? key.used
        rows.append([
          standing.flow, "key \(key.name)", "\(key.used) of \(maximum), \(key.waiting) wait",
        ])
      }
      if let next = standing.nextToken, let rate = limits.rate {
        rows.append([
          standing.flow, "\(rate.count) every \(StageText.duration(rate.period / .seconds(1)))",
          "none left; the next at \(StageText.time(next)) UTC",
        ])
      }
      return rows
    }

    private static func row(of pause: JournalPause) -> [String] {
      let target =
        switch pause.target {
        case .flow(let flow): "flow \(flow)"
        case .concurrencyKey(let key, let flow): "key \(key) of \(flow)"
        case .run(let id): "run \(id)"
        }
      return [target, pause.until.map { StageText.time($0) + " UTC" } ?? "it is resumed"]
    }
  }
#endif
