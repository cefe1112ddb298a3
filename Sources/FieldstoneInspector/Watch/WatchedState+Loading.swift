#if INSPECTOR
  import FieldstoneCore
  import FieldstoneLoading
  import FieldstoneScreens
  import Foundation

  extension WatchedHeadline {
    init(_ phase: LoadPhase<some Sendable>) {
      switch phase {
      case .idle: self.init(phase: "idle")
      case .loading(let previous):
        self.init(phase: previous == nil ? "loading" : "refreshing", tone: .busy)
      case .loaded: self.init(phase: "loaded", tone: .good)
      case .failed(let error, _): self.init(phase: "failed", tone: .bad, detail: error.inWords)
      }
    }

    /// The state of a list: a reload takes precedence over its edges, an error over a load.
    @MainActor
    init(_ list: PaginatedList<some Identifiable, some Hashable>) {
      let count = "\(list.items.count) items"
      let error = list.refreshState.error ?? list.appendState.error ?? list.prependState.error
      if let error {
        self.init(phase: "failed", tone: .bad, detail: "\(count); \(error.inWords)")
      } else if list.refreshState.isLoading {
        self.init(phase: "reloading", tone: .busy, detail: count)
      } else if list.appendState.isLoading || list.prependState.isLoading {
        self.init(phase: "loading a page", tone: .busy, detail: count)
      } else {
        self.init(
          phase: list.hasLoaded ? "loaded" : "idle", tone: list.hasLoaded ? .good : .plain,
          detail: count)
      }
    }

    init(_ state: ScreenState) {
      let tone: TimelineEntry.Tone =
        switch state.view {
        case .loading: .busy
        case .primary, .noResults: .good
        case .retry: .bad
        case .blank, .initial: .plain
        }
      var detail = state.error?.inWords
      if case .primary(.refreshing) = state { detail = "refreshing" }
      self.init(
        phase: state.view.rawValue, tone: state.error == nil ? tone : .bad, detail: detail)
    }

    init(outcome: Outcome<some Sendable>) {
      switch outcome {
      case .success: self.init(phase: "succeeded", tone: .good)
      case .failure(let error): self.init(phase: "failed", tone: .bad, detail: error.inWords)
      case .cancelled(let reason):
        self.init(phase: "cancelled", tone: .stopped, detail: "\(reason)")
      }
    }

    @MainActor
    init(_ call: Call<some Sendable>) {
      if let outcome = call.currentOutcome {
        self.init(outcome: outcome)
      } else {
        self.init(phase: "under way", tone: .busy)
      }
    }

    init(_ operation: StatefulOperation<some Sendable>) {
      if let outcome = operation.currentOutcome {
        self.init(outcome: outcome)
      } else {
        self.init(
          phase: operation.isExecuting ? "running" : "waiting",
          tone: operation.isExecuting ? .busy : .plain)
      }
    }
  }

  extension WatchedState {
    /// The state of an integrator that is watched under a name, copied on the main actor.
    @MainActor
    static func of<Parameters, Value>(
      _ integrator: Integrator<Parameters, Value>, _ reader: ValueReader, _ name: String
    ) -> @Sendable () -> Self {
      let (phase, changes) = (integrator.phase, integrator.changeCounts)
      let noted = integrator.notedChanges
      return {
        var state = Self(headline: WatchedHeadline(phase))
        state.facts.append(Fact(name: "Value", text: String(describing: Value.self)))
        if let error = phase.error {
          state.facts.append(Fact(name: "Error", text: error.inWords))
        }
        if changes.pending + changes.confirmed > 0 {
          let confirmed = "\(changes.confirmed) confirmed and not loaded yet"
          state.facts.append(
            Fact(
              name: "Local changes",
              text: "\(changes.pending) pending" + (changes.confirmed > 0 ? ", \(confirmed)" : "")))
        }
        if !noted.isEmpty {
          let rows = noted.reversed().map { change in
            [
              "\(change.id)", change.isConfirmed ? "confirmed" : "pending",
              reader.change(from: change.old, to: change.new, named: name),
            ]
          }
          let count = changes.pending + changes.confirmed
          state.tables.append(
            Table(
              title: "Local changes", columns: ["Change", "State", "Old → new"], rows: rows,
              note: count > rows.count ? "The last \(rows.count) of \(count) are shown." : nil))
        }
        if let value = phase.value {
          state.values.append(
            WatchedState.Value(title: "Value", text: reader.shown(value, named: name).text))
        }
        return state
      }
    }

    /// The state of an operation that is watched under a name.
    static func of(
      _ operation: StatefulOperation<some Sendable>, _ reader: ValueReader, _ name: String
    ) -> @Sendable () -> Self {
      of(
        operation.currentOutcome, WatchedHeadline(operation), "\(type(of: operation))", reader, name
      )
    }

    /// The state of a call that is watched under a name, copied on the main actor.
    @MainActor
    static func of(
      _ call: Call<some Sendable>, _ reader: ValueReader, _ name: String
    ) -> @Sendable () -> Self {
      of(call.currentOutcome, WatchedHeadline(call), "\(type(of: call))", reader, name)
    }

    /// The state of what ends once.
    private static func of(
      _ outcome: Outcome<some Sendable>?, _ headline: WatchedHeadline, _ type: String,
      _ reader: ValueReader, _ name: String
    ) -> @Sendable () -> Self {
      return {
        var state = Self(headline: headline, facts: [Fact(name: "Type", text: type)])
        if case .success(let value) = outcome {
          state.values.append(
            Value(title: "Output", text: reader.shown(value, named: name).text))
        }
        return state
      }
    }
  }

  extension Error {
    /// Its message, or its description; at most 500 characters.
    var inWords: String {
      let text = (self as? any DescribedError)?.message ?? "\(self)"
      return String(text.prefix(500))
    }
  }
#endif
