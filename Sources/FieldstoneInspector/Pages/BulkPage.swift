#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import FieldstoneServing
  import Foundation

  /// The user's input in the form of an action on all runs of a filter, beside their number.
  struct BulkForm {
    /// The end of a pause.
    var until = ""
    /// The name of a signal.
    var name = ""
    /// The payload of a signal, or the patch of an edit, as it was typed.
    var payload = ""
    /// The version of the flow that edited stages are for; empty for that of each.
    var version = ""

    /// The form before anything is typed.
    init(_ action: ManyRunsAction) {
      name = action.signal
      payload = JSONLine.lines(of: action.payload, hiding: nil).map(\.text).joined(separator: "\n")
    }

    /// The posted form.
    init(_ kind: ManyRunsAction.Kind, _ values: FormValues) {
      if kind == .pause { until = values["until"] ?? "" }
      guard kind == .signal || kind == .edit else { return }
      name = values["name"] ?? ""
      version = values["version"] ?? ""
      payload = (values["payload"] ?? "").replacing("\r\n", with: "\n")
    }

    /// The payload without the whitespace that makes it readable.
    var json: Data { JSONLine.compact(Data(payload.utf8)) }
  }

  /// Asks to confirm an action on all runs of a filter; the user types their number.
  struct BulkPage {
    let parts: PageParts
    let action: ManyRunsAction
    let filter: RunFilter
    let counted: CountedRuns
    /// Names the change.
    let change: RunID
    /// Whether the stages of forks and edits are decoded before they are written.
    var isChecked = false
    let form: BulkForm
    /// The names of the signals whose examples are known.
    var signals: [String] = []
    var problem: InspectorRefusal?
    /// What a patch would do; nil before it is reviewed.
    var trial: BulkEditTrial?

    var count: BulkCount { counted.count }

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
          if action.kind == .fork { stageForm }
          if let trial { review(trial) }
          if count.number > 0 { action.kind == .edit && trial == nil ? patchForm : confirmation }
          parts.link("Back to the runs", to: parts.address.runs(filter), class: "button")
        }, status: problem?.status ?? 200)
    }

    private var sentence: String {
      if let trial { return sentence(for: trial) }
      let runs =
        count.number == 1
        ? "1 run that allows it" : "\(parts.grouped(count.number)) runs that allow it"
      if count.number == 0 {
        return count.hasMore
          ? "None of the \(parts.grouped(RunSearch.limit)) youngest runs allows it, and no more are "
            + "looked through at once. Add a flow, a state, a day or a kind of error to the filter."
          : "No run of this filter allows it."
      }
      return
        "The filter finds \(runs). \(action.effect(isChecked: isChecked)) Each is changed by itself; "
        + "runs that go on meanwhile are left alone.\(more)"
    }

    /// What one confirmation leaves out, after a sentence.
    var more: String {
      if !count.hasMore { return "" }
      let most = parts.grouped(BulkCount.most)
      // A count that ended before does not know.
      return count.number < BulkCount.most
        ? " There may be more: one confirmation changes up to \(most) of the "
          + "\(parts.grouped(RunSearch.limit)) youngest runs."
        : " There are more: one confirmation changes the \(most) youngest."
    }

    /// Asks for the stage that forks begin at; the runs are counted anew.
    private var stageForm: HTML {
      HTML.element(
        "form", [.address("action", parts.address.all(ManyRunsAction(.fork), RunFilter()))]
      ) {
        for (name, value) in filter.pairs { parts.hidden(name, value) }
        HTML.element("label") {
          HTML.element("span") { HTML.text("From stage") }
          HTML.element(
            "input",
            [
              HTMLAttribute("name", "stage"), HTMLAttribute("inputmode", "numeric"),
              HTMLAttribute("value", action.stage.map { "\($0)" } ?? ""),
            ])
          HTML.element("small") {
            HTML.text(
              "Empty: the stage that each is at. A completed run is forked from a stage only.")
          }
        }
        HTML.element("div", [.class("buttons")]) {
          HTML.element("button", [HTMLAttribute("type", "submit")]) { HTML.text("Count again") }
        }
      }
    }

    private var confirmation: HTML {
      HTML.element(
        "form",
        [HTMLAttribute("method", "post"), .address("action", parts.address.all(action, filter))]
      ) {
        parts.token
        parts.hidden("counted", "\(count.number)")
        parts.hidden("youngest", count.youngest.map { "\($0)" } ?? "")
        parts.hidden("oldest", counted.oldest.map { "\($0)" } ?? "")
        parts.hidden("change", "\(change)")
        if action.kind == .pause { parts.pauseEnd(form.until) }
        if action.kind == .signal { signalFields }
        if action.kind == .edit {
          parts.hidden("payload", form.payload)
          parts.hidden("version", form.version)
        }
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
              .class(action.isDangerous ? "primary danger" : "primary"),
            ]
          ) { HTML.text("\(action.title): \(parts.grouped(count.number))") }
        }
      }
    }

    @HTMLBuilder private var signalFields: HTML {
      parts.input(
        "Name", "name", form.name, help: "The name that the runs receive by.", suggestions: signals)
      let others = signals.filter { $0 != form.name }
      if !others.isEmpty {
        HTML.element("p", [.class("note")]) {
          HTML.text("Begin with the example of ")
          for (index, name) in others.enumerated() {
            HTML.text(index == 0 ? "" : ", ")
            parts.link(
              name.inOneLine.cut(to: 60),
              to: parts.address.all(ManyRunsAction(.signal, signal: name), filter))
          }
          HTML.text(".")
        }
      }
      parts.payload("Payload, as JSON", form.payload)
    }
  }
#endif
