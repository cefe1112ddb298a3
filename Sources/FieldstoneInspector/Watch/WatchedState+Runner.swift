#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import Foundation

  extension WatchedHeadline {
    /// What a runner does, and how many runs it holds.
    init(_ standing: RunnerStanding, of worker: String) {
      let runs = standing.heldCount == 1 ? "1 run" : "\(standing.heldCount) runs"
      let detail = "\(worker), \(runs) under way"
      switch standing.activity {
      case .idle: self.init(phase: "not running", detail: worker)
      case .working:
        self.init(phase: "working", tone: standing.heldCount > 0 ? .busy : .good, detail: detail)
      case .shuttingDown: self.init(phase: "shutting down", tone: .stopped, detail: detail)
      }
    }

    /// What a runner does at the moment.
    init(_ runner: DurableRunner) {
      self.init(runner.standing(atMost: 0), of: runner.options.worker)
    }
  }

  extension WatchedState {
    /// The maximum number of runs that the page of a runner lists.
    private static let shownRuns = 100

    init(_ runner: DurableRunner) {
      let standing = runner.standing(atMost: Self.shownRuns)
      self.init(headline: WatchedHeadline(standing, of: runner.options.worker))
      facts += [
        Fact(name: "Worker", text: runner.options.worker),
        Fact(name: "Lease", text: "\(runner.options.lease ?? runner.journal.clock.defaultLease)"),
        Fact(name: "Takes on runs", text: standing.activity == .working ? "yes" : "no"),
        Fact(name: "Under way", text: "\(standing.heldCount)"),
      ]
      tables.append(
        Table(
          title: "Runs under way",
          columns: ["Run", "Flow", "Stage", "Attempt", "Since", "Left of its lease"],
          rows: standing.held.map { held in
            [
              "\(held.run)", held.flow, "\(held.sequence)", "\(held.attempt)",
              StageText.time(held.since) + " UTC",
              StageText.duration(held.leaseLeft / .seconds(1)),
            ]
          },
          note: standing.heldCount > Self.shownRuns
            ? "The first \(Self.shownRuns) are listed." : nil,
          runs: standing.held.map(\.run)))
      tables.append(
        Table(
          title: "Flows", columns: ["Flow", "Version"],
          rows: runner.flows.map { [$0.name, "\($0.version)"] }, note: nil))
    }
  }
#endif
