#if INSPECTOR
  import FieldstoneDurable

  extension WatchedState {
    init(_ runner: DurableRunner) {
      self.init(headline: WatchedHeadline(phase: "runner", detail: runner.options.worker))
      facts += [
        Fact(name: "Worker", text: runner.options.worker),
        Fact(name: "Lease", text: "\(runner.options.lease ?? runner.journal.clock.defaultLease)"),
      ]
      tables.append(
        Table(
          title: "Flows", columns: ["Flow", "Version"],
          rows: runner.flows.map { [$0.name, "\($0.version)"] }, note: nil))
    }
  }
#endif
