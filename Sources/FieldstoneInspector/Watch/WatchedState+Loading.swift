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
    @MainActor
    init<Parameters, Value>(_ integrator: Integrator<Parameters, Value>, _ reader: ValueReader) {
      let phase = integrator.phase
      self.init(headline: WatchedHeadline(phase))
      facts.append(Fact(name: "Value", text: String(describing: Value.self)))
      if let error = phase.error { facts.append(Fact(name: "Error", text: error.inWords)) }
      if let value = phase.value {
        values.append(WatchedState.Value(title: "Value", text: reader.text(of: value)))
      }
    }

    @MainActor
    init<Item, Cursor>(_ list: PaginatedList<Item, Cursor>, _ reader: ValueReader) {
      self.init(headline: WatchedHeadline(list))
      let snapshot = list.snapshot
      facts += [
        Fact(name: "Items", text: "\(list.items.count) of \(Item.self)"),
        Fact(name: "Pages", text: "\(snapshot.pages.count)"),
        Fact(name: "At the end", text: Self.edge(list.appendState, hasMore: list.hasMore)),
        Fact(name: "At the start", text: Self.edge(list.prependState, hasMore: list.hasPrevious)),
        Fact(name: "Duplicates", text: "\(list.duplicateCount)"),
      ]
      if let cursor = snapshot.next.first?.cursor {
        facts.append(Fact(name: "Next cursor", text: reader.line(of: cursor)))
      }
      if let cursor = snapshot.previous.first?.cursor {
        facts.append(Fact(name: "Previous cursor", text: reader.line(of: cursor)))
      }
      if !snapshot.removed.isEmpty {
        facts.append(Fact(name: "Removed here", text: "\(snapshot.removed.count)"))
      }
      let shown = 50
      tables.append(
        Table(
          title: "Items", columns: ["#", "Identifier", "Item"],
          rows: list.items.prefix(shown).enumerated().map { index, item in
            ["\(index)", reader.line(of: item.id, length: 60), reader.line(of: item, length: 240)]
          },
          note: list.items.count > shown ? "The first \(shown) items are shown." : nil))
    }

    init(_ operation: StatefulOperation<some Sendable>, _ reader: ValueReader) {
      self.init(headline: WatchedHeadline(operation))
      facts.append(Fact(name: "Type", text: "\(type(of: operation))"))
      if case .success(let value) = operation.currentOutcome {
        values.append(Value(title: "Output", text: reader.text(of: value)))
      }
    }

    private static func edge(_ state: ListEdgeState, hasMore: Bool) -> String {
      switch state {
      case .idle: hasMore ? "more to load" : "idle"
      case .loading: "loading"
      case .failed(let error): "failed: \(error.inWords)"
      case .end: "at its end"
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
