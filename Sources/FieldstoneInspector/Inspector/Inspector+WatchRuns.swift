#if INSPECTOR
  import FieldstoneCore
  public import FieldstoneDurable

  extension Inspector {
    /// Shows a durable runner live: whether it takes on runs, the runs under way with their stages,
    /// attempts and leases, and its flows.
    ///
    /// Its events from now on are recorded on the timeline, each under its run; once, under however
    /// many names it is watched. The inspector holds it weakly.
    @MainActor
    public func watch(_ runner: DurableRunner, as name: String) {
      var object = WatchedObject(kind: .run, name: name) { [weak runner] in
        runner.map { WatchedHeadline($0) }
      } state: { [weak runner] in
        runner.map { WatchedState($0) }.map { state in { state } }
      }
      object.noun = "runner"
      object.flows = Set(runner.flows.map(\.name))
      let added = book.add(object, follows: false)
      book.observeEvents(of: runner, as: added)
    }

    /// Shows a journal live: its runs by state, full limits, pauses and workers.
    ///
    /// A journal that is an object is held weakly. One that is a struct has no lifetime of its own:
    /// the inspector holds a copy of it, and whatever that refers to, as long as it is watched. A
    /// look counts at most 10,000 runs of each state, as an open page does each second.
    @MainActor
    public func watch(_ journal: any Journal, as name: String) {
      let type = "\(Swift.type(of: journal))"
      let headline = WatchedHeadline(phase: "journal", tone: .plain, detail: type)
      let time = time
      let known: @MainActor @Sendable () -> (any Journal)?
      if let object = journal as? any (Journal & AnyObject) {
        known = { [weak object] in object }
      } else {
        known = { journal }
      }
      var object = WatchedObject(kind: .run, name: name) {
        known().map { _ in headline }
      } state: {
        guard let journal = known() else { return nil }
        return {
          await WatchedState.of(journal, headline, at: JournalTime(time, boot: "inspector"))
        }
      }
      object.noun = "journal"
      book.add(object, follows: false)
    }
  }
#endif
