#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import Foundation

  /// The table of runs, with its filters.
  struct RunsPage {
    let parts: PageParts
    let filter: RunFilter
    let found: RunLookup
    /// The number of runs; nil if the filter requires a scan.
    var count: RunCount?
    /// The result of the last action on all of them.
    var done: BulkResult?
    /// The flow names that the filter suggests.
    let flows: [String]
    /// The attribute names that the filter suggests.
    var attributes: [String] = []
    /// The most frequent errors, that the filter offers.
    var errors: [ErrorGroup] = []

    /// The maximum number of suggested names.
    static let completed = 200

    var page: InspectorPage {
      InspectorPage(
        title: "Runs",
        head: .joined([
          HTML.element("h1", [.class("unseen")]) { HTML.text("Runs") }, notice, form, actions,
        ]),
        live: .joined([table, pages]))
    }

    private var notice: HTML {
      guard let done else { return .empty }
      let cause =
        switch done.kind {
        case .fork: ", or have no stage that can be forked,"
        case .purge: ", or a parent may still read their outcome,"
        default: ""
        }
      return HTML.element("p", [.class("banner"), HTMLAttribute("role", "status")]) {
        HTML.text(
          (done.changed == 1 ? "1 run was" : "\(parts.grouped(done.changed)) runs were")
            + " \(ManyRunsAction(done.kind).done)."
            + (done.skipped > 0
              ? " \(parts.grouped(done.skipped)) had gone on\(cause) and were left alone."
              : ""))
      }
    }

    /// The actions on all runs of the filter.
    private var actions: HTML {
      if parts.isReadOnly || found.page.runs.isEmpty { return .empty }
      return HTML.element("div", [.class("buttons tools")]) {
        HTML.element("span") { HTML.text("All found:") }
        for action in ManyRunsAction.Kind.allCases.map({ ManyRunsAction($0) })
        where (filter.states.isEmpty || filter.states.contains(where: action.isAllowed))
          // A patch is for one flow.
          && (action.kind != .edit || filter.flow != nil)
        {
          parts.link(
            "\(action.title)…", to: parts.address.all(action, filter), class: "button")
        }
        if parts.hasFlows, filter.states.contains(.blocked) {
          parts.link("Try…", to: parts.address.trial(filter), class: "button")
        }
      }
    }

    private var form: HTML {
      HTML.element(
        "form", [.class("filters"), .address("action", parts.address.runs())]
      ) {
        field("Flow", "flow", filter.flow, list: "flows")
        field("Key", "key", filter.key, list: "run-keys")
        field(
          "Attribute", "attribute", filter.attribute?.text, list: "attributes",
          example: "customer=ada")
        field("Error contains", "error", filter.error)
        HTML.element("fieldset") {
          HTML.element("legend", [.class("unseen")]) { HTML.text("States") }
          for state in RunState.allCases {
            HTML.element("label", [.class("choice")]) {
              HTML.element(
                "input",
                [
                  HTMLAttribute("type", "checkbox"), HTMLAttribute("name", "state"),
                  HTMLAttribute("value", state.rawValue),
                  HTMLAttribute("checked", isOn: filter.states.contains(state)),
                ])
              parts.badge(state)
            }
          }
        }
        HTML.element("div", [.class("buttons")]) {
          HTML.element("button", [HTMLAttribute("type", "submit")]) { HTML.text("Filter") }
          if !filter.conditions.isEmpty {
            parts.link("Clear", to: parts.address.runs(cleared), class: "button")
          }
        }
        seldomFilters
        columns
        datalist("flows", flows)
        datalist("run-keys", shownKeys)
        // The value follows the equals sign; those of the runs that are shown are offered.
        datalist(
          "attributes", attributes.filter { !$0.contains("=") }.map { $0 + "=" } + shownAttributes)
      }
    }

    /// The filters that are used seldom, hidden unless one of them is set: a phone would show nothing
    /// but filters.
    private var seldomFilters: HTML {
      let isUsed =
        filter.prefix != nil || filter.fingerprint != nil || filter.wait != nil
        || [filter.since, filter.until, filter.stoppedSince, filter.stoppedUntil].contains {
          $0 != nil
        }
        || filter.order != .newestFirst
      return HTML.element(
        "details",
        [.id("more-filters"), .class("figures columns"), HTMLAttribute("open", isOn: isUsed)]
      ) {
        HTML.element("summary") { HTML.text("More filters") }
        HTML.element("div", [.class("filters")]) {
          field("Key begins with", "prefix", filter.prefix, list: "run-keys")
          if !errors.isEmpty || filter.fingerprint != nil { kinds }
          choice(
            "Waits for", "wait",
            [("", "anything", filter.wait == nil)]
              + WaitKind.allCases.map { ($0.rawValue, $0.title, $0 == filter.wait) })
          time("Since (UTC)", "since", filter.since)
          time("Before (UTC)", "until", filter.until)
          time("Stopped since (UTC)", "stopped-since", filter.stoppedSince)
          time("Stopped before (UTC)", "stopped-until", filter.stoppedUntil)
          choice(
            "Order", "order",
            RunOrder.allCases.map { ($0.rawValue, $0.title, $0 == filter.order) })
        }
      }
    }

    /// The keys of the runs that are shown: a page of those with the prefix that was typed before.
    private var shownKeys: [String] {
      Set(found.page.runs.compactMap(\.key)).sorted()
    }

    /// The attributes of the runs that are shown, but those whose values are redacted.
    private var shownAttributes: [String] {
      let texts = found.page.runs.flatMap { run in
        run.attributes.compactMap { name, value in
          parts.redaction.hides(name) ? nil : AttributeFilter(name, value)?.text
        }
      }
      return Set(texts).sorted()
    }

    private var cleared: RunFilter {
      var filter = RunFilter()
      filter.columns = self.filter.columns
      return filter
    }

    private func datalist(_ name: String, _ values: [String]) -> HTML {
      HTML.element("datalist", [.id(name)]) {
        for value in values.prefix(Self.completed) {
          HTML.element("option", [HTMLAttribute("value", value)])
        }
      }
    }

    /// The kinds of errors; one that is no longer frequent stays while it is the filter.
    private var kinds: HTML {
      let isKnown = errors.contains { $0.fingerprint == filter.fingerprint }
      let other = isKnown ? nil : filter.fingerprint?.description
      return choice(
        "Error like", "fingerprint",
        [("", "any", filter.fingerprint == nil)] + (other.map { [($0, $0, true)] } ?? [])
          + errors.map {
            (
              $0.fingerprint.description, $0.sample.inOneLine.cut(to: 60),
              $0.fingerprint == filter.fingerprint
            )
          })
    }

    /// The choice of columns; a part of the form, so that it is sent with the filters.
    private var columns: HTML {
      let chosen = filter.columns ?? RunColumn.usual
      return HTML.element("details", [.id("columns"), .class("figures columns")]) {
        HTML.element("summary") { HTML.text("Columns") }
        HTML.element("fieldset") {
          HTML.element("legend", [.class("unseen")]) { HTML.text("Columns") }
          for column in RunColumn.allCases {
            HTML.element("label", [.class("choice")]) {
              HTML.element(
                "input",
                [
                  HTMLAttribute("type", "checkbox"), HTMLAttribute("name", "column"),
                  HTMLAttribute("value", column.rawValue),
                  HTMLAttribute("checked", isOn: chosen.contains(column)),
                ])
              HTML.text(column.title)
            }
          }
        }
      }
    }

    private func choice(
      _ title: String, _ name: String, _ options: [(value: String, title: String, isOn: Bool)]
    ) -> HTML {
      HTML.element("label") {
        HTML.element("span") { HTML.text(title) }
        HTML.element("select", [HTMLAttribute("name", name)]) {
          for option in options {
            HTML.element(
              "option",
              [
                HTMLAttribute("value", option.value),
                HTMLAttribute("selected", isOn: option.isOn),
              ]
            ) { HTML.text(option.title) }
          }
        }
      }
    }

    private func time(_ title: String, _ name: String, _ value: String?) -> HTML {
      HTML.element("label") {
        HTML.element("span") { HTML.text(title) }
        HTML.element(
          "input",
          [
            HTMLAttribute("name", name), HTMLAttribute("type", "datetime-local"),
            HTMLAttribute("value", value.flatMap(FormTime.date).map(FormTime.text) ?? ""),
          ])
      }
    }

    private func field(
      _ title: String, _ name: String, _ value: String?, list: String? = nil, example: String? = nil
    ) -> HTML {
      HTML.element("label") {
        HTML.element("span") { HTML.text(title) }
        HTML.element(
          "input",
          [
            HTMLAttribute("name", name), HTMLAttribute("value", value ?? ""),
            HTMLAttribute("list", list), HTMLAttribute("placeholder", example),
            HTMLAttribute("autocomplete", "off"),
            HTMLAttribute("spellcheck", "false"),
          ])
      }
    }

    private var table: HTML {
      if found.page.runs.isEmpty {
        return HTML.element("p", [.class("nothing")]) {
          HTML.text(
            found.page.nextPlace == nil
              ? "There are no such runs."
              : "None of the \(parts.grouped(found.looked ?? 0)) runs looked through is one of these."
          )
        }
      }
      let label = "Runs, \(filter.order.title)"
      guard let columns = filter.columns else {
        return parts.table(of: found.page.runs, label: label)
      }
      return HTML.element(
        "div",
        [
          .class("scroll"), HTMLAttribute("tabindex", "0"), HTMLAttribute("role", "region"),
          HTMLAttribute("aria-label", label),
        ]
      ) { parts.table(of: found.page.runs, label: label, columns: columns) }
    }

    private var pages: HTML {
      var first = filter
      first.after = nil
      var next = filter
      next.after = found.page.nextPlace
      let isFromNewest = filter.order == .newestFirst
      return HTML.element("nav", [.class("pages"), HTMLAttribute("aria-label", "Pages of runs")]) {
        if filter.after != nil {
          parts.link(
            isFromNewest ? "Newest" : "First", to: parts.address.runs(first), class: "button")
        }
        if found.page.nextPlace != nil {
          parts.link(isFromNewest ? "Older" : "Next", to: parts.address.runs(next), class: "button")
        }
        if let count, count.number > 0 {
          HTML.element("p", [.class("note")]) {
            HTML.text(count == RunCount(1) ? "1 run" : "\(parts.number(count)) runs")
          }
        }
        if let looked = found.looked {
          HTML.element("p", [.class("note")]) {
            HTML.text(
              "\(parts.grouped(looked)) runs were looked through"
                + (found.page.nextPlace == nil
                  ? ", all there are." : "; \(isFromNewest ? "Older" : "Next") goes on from there.")
            )
          }
        }
      }
    }
  }

  extension RunOrder {
    var title: String {
      switch self {
      case .newestFirst: "the youngest first"
      case .oldestFirst: "the oldest first"
      case .lastStoppedFirst: "stopped, the last first"
      case .firstStoppedFirst: "stopped, the first first"
      }
    }
  }
#endif
