#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML

  /// The question whether an action is meant for all runs of a filter; the person types the count.
  struct BulkPage {
    let parts: PageParts
    let action: RunAction
    let filter: RunFilter
    let count: BulkCount
    var problem: InspectorRefusal?

    var page: InspectorPage {
      InspectorPage(
        title: "\(action.title): all runs found",
        head: HTML.element("section", [.class("action")]) {
          HTML.element("h1") { HTML.text("\(action.title): all runs found") }
          HTML.element("p", [.class("effect")]) { HTML.text(sentence) }
          if let problem {
            HTML.element("p", [.class("banner bad"), HTMLAttribute("role", "alert")]) {
              HTML.text(problem.message)
            }
          }
          if count.number > 0 { form }
          parts.link("Back to the runs", to: parts.address.runs(filter), class: "button")
        }, status: problem?.status ?? 200)
    }

    private var sentence: String {
      let runs = count.number == 1 ? "1 run" : "\(parts.grouped(count.number)) runs"
      let effect =
        switch action {
        case .retry: "They become ready at once, with no attempts behind them."
        default: "They are called off; a cancelled run can be retried."
        }
      if count.number == 0 { return "No run of this filter allows it." }
      let more =
        count.hasMore
        ? " There are more: one confirmation changes the \(parts.grouped(BulkCount.limit)) youngest."
        : ""
      return
        "The filter finds \(runs) that allow it. \(effect) Each is changed by itself; runs that "
        + "go on meanwhile are left alone.\(more)"
    }

    private var form: HTML {
      HTML.element(
        "form",
        [HTMLAttribute("method", "post"), .address("action", parts.address.all(action, filter))]
      ) {
        parts.token
        parts.hidden("counted", "\(count.number)")
        parts.hidden("youngest", count.youngest.map { "\($0)" } ?? "")
        HTML.element("label") {
          HTML.element("span") { HTML.text("Type \(count.number) to confirm") }
          HTML.element(
            "input",
            [
              HTMLAttribute("name", "count"), HTMLAttribute("inputmode", "numeric"),
              HTMLAttribute("autocomplete", "off"), HTMLAttribute("required", isOn: true),
            ])
        }
        HTML.element("div", [.class("buttons")]) {
          HTML.element(
            "button",
            [
              HTMLAttribute("type", "submit"),
              .class(action == .cancel ? "primary danger" : "primary"),
            ]
          ) { HTML.text("\(action.title): \(parts.grouped(count.number))") }
        }
      }
    }
  }
#endif
