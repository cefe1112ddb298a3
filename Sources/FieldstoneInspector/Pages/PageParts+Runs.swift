#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import Foundation

  extension PageParts {
    /// A table of runs; on a phone each row is a card.
    ///
    /// - Parameters:
    ///   - runs: its rows.
    ///   - label: its name for screen readers.
    ///   - columns: the columns beside the run.
    func table(
      of runs: [RunRecord], label: String, columns: Set<RunColumn> = RunColumn.usual
    ) -> HTML {
      let columns = RunColumn.allCases.filter(columns.contains)
      return HTML.element("table", [.class("runs"), HTMLAttribute("aria-label", label)]) {
        HTML.element("thead") {
          HTML.element("tr") {
            for title in titles(of: columns) {
              HTML.element("th", [HTMLAttribute("scope", "col")]) { HTML.text(title) }
            }
          }
        }
        HTML.element("tbody") {
          for run in runs { row(run, columns) }
        }
      }
    }

    /// The run follows its state, which is the first column if it is shown.
    private func titles(of columns: [RunColumn]) -> [String] {
      let place = columns.first == .state ? 1 : 0
      var titles = columns.map(\.title)
      titles.insert("Run", at: place)
      return titles
    }

    private func row(_ run: RunRecord, _ columns: [RunColumn]) -> HTML {
      HTML.element("tr", [.class(run.state.rawValue)]) {
        if columns.first == .state { cell(.state, of: run, columns) }
        HTML.element("td", [.class("at-run")]) {
          HTML.element(
            "a",
            [.class(run.visibleKey == nil ? "id" : "key"), .address("href", address.run(run.id))]
          ) {
            HTML.text(run.title(to: 60))
          }
          if run.visibleKey != nil {
            HTML.element("span", [.class("id quiet")]) { HTML.text("\(run.id)") }
          } else if let note = run.keyNote {
            HTML.element("span", [.class("quiet")]) { HTML.text(note) }
          }
        }
        for column in columns where column != .state { cell(column, of: run, columns) }
      }
    }

    private func cell(_ column: RunColumn, of run: RunRecord, _ columns: [RunColumn]) -> HTML {
      let isMore = !RunColumn.usual.contains(column)
      let value = self.value(of: column, of: run, columns)
      return HTML.element(
        "td",
        [
          .class(column.name), HTMLAttribute("data-name", isMore ? column.title : nil),
          HTMLAttribute("title", whole(column, of: run)),
        ]
      ) { value }
    }

    /// The text of a cell that the style sheet may cut off.
    private func whole(_ column: RunColumn, of run: RunRecord) -> String? {
      switch column {
      case .flow: run.flow.inOneLine.cut(to: 200)
      case .stage: stageName(of: run)
      default: nil
      }
    }

    private func stageName(of run: RunRecord) -> String {
      run.state == .completed ? "completion" : redaction.name(of: run.payload)
    }

    @HTMLBuilder
    private func value(
      of column: RunColumn, of run: RunRecord, _ columns: [RunColumn]
    ) -> HTML {
      switch column {
      case .state: badge(run.state)
      case .flow: HTML.text(run.flow.inOneLine.cut(to: 40))
      case .version: HTML.text("\(run.version)")
      case .stage:
        HTML.element("span", [.class("sequence")]) { HTML.text(grouped(run.sequence)) }
        HTML.text(" ")
        HTML.text(stageName(of: run))
      case .attempts:
        if run.attempts > 0 || run.crashes > 0 {
          HTML.text("\(run.attempts)" + (run.crashes > 0 ? " + \(run.crashes) crashes" : ""))
        }
      case .priority: HTML.text("\(run.priority)")
      case .concurrencyKey: if let key = run.concurrencyKey { code(key) }
      case .started: time(run.startedAt)
      case .changed: time(run.changedAt)
      case .due: if run.state == .ready, let due = run.dueAt { time(due) }
      case .worker: if let worker = run.worker { code(worker) }
      case .attributes: HTML.text(attributes(of: run))
      case .error: if let error = run.error { self.error(error) }
      case .standing:
        if let error = run.error, run.state != .completed, !columns.contains(.error) {
          self.error(error)
          HTML.text(" ")
        }
        if run.state == .ready || run.state == .running { standing(of: run) }
      }
    }

    private func error(_ text: String) -> HTML {
      HTML.element("span", [.class("error")]) { HTML.text(text.inOneLine.cut(to: 160)) }
    }

    private func attributes(of run: RunRecord) -> String {
      run.attributes.sorted { $0.key < $1.key }.map { name, value in
        "\(name)=\(redaction.hides(name) ? RedactedJSON.dots : value.typed)"
      }.joined(separator: ", ").inOneLine.cut(to: 160)
    }
  }
#endif
