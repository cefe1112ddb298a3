#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import FieldstoneServing
  import Foundation

  /// The user's input in the form of an action.
  struct ActionForm {
    var payload: String
    var version: String
    var name: String
    var identifier: String
    /// The number of the stage at which a fork begins.
    var from: String
    /// The identifier of the new run, so that a form sent again is the same fork; empty before the
    /// review.
    var fork = ""

    /// The maximum size in bytes; use the command to edit longer stages.
    static let longestPayload = 256 * 1_024

    /// The payload to write: without the whitespace that makes it readable, and with the values that
    /// dots stand for.
    let json: Data
    /// Whether the payload has dots that stand for no value.
    let hasStrayDots: Bool

    /// The size of the payload in a posted form; most characters of JSON take three bytes there.
    var postedBytes: Int {
      payload.utf8.reduce(0) { sum, byte in
        switch byte {
        case UInt8(ascii: "\n"): sum + 6
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"):
          sum + 1
        default: sum + ("*-._ ".utf8.contains(byte) ? 1 : 3)
        }
      }
    }

    /// An empty form for a run.
    ///
    /// - Parameters:
    ///   - signals: the signals whose examples are known.
    ///   - redaction: the names of the members of a stage whose values are numbered dots.
    init(
      _ action: RunAction, for run: RunRecord, _ signals: [String: OfferedSignal],
      hiding redaction: RedactionRule
    ) {
      name = action == .signal ? run.awaitedSignals.first ?? "" : ""
      json = action == .edit ? run.payload : signals[name]?.example ?? Data("null".utf8)
      let shown =
        action == .edit ? RedactedJSON(json, redaction, isNumbered: true).data : json
      payload = JSONLine.lines(of: shown, hiding: nil).map(\.text).joined(separator: "\n")
      hasStrayDots = false
      version = ""
      identifier = "inspector-" + Secret.make()
      from = "\(run.state == .completed ? max(0, run.sequence - 1) : run.sequence)"
    }

    /// The posted form.
    ///
    /// In an edit, dots that were left as they are keep the value of the run's stage.
    init(
      _ values: FormValues, _ action: RunAction, for run: RunRecord, hiding redaction: RedactionRule
    ) {
      payload = (values["payload"] ?? "").replacing("\r\n", with: "\n")
      let typed = Data(payload.utf8)
      let hidden = action == .edit ? RedactedJSON(run.payload, redaction).hidden : []
      let restored =
        action == .edit ? RedactedJSON.restored(typed, from: hidden, redaction) : typed
      json = JSONLine.compact(restored ?? typed)
      hasStrayDots = restored == nil
      version = values["version"] ?? ""
      name = values["name"] ?? ""
      identifier = values["identifier"] ?? ""
      from = values["from"] ?? ""
      fork = values["fork"] ?? ""
    }
  }

  /// The form of an action, or its confirmation.
  struct ActionPage {
    let parts: PageParts
    let action: RunAction
    let run: RunRecord
    let form: ActionForm
    let token: String
    /// Whether this process has the code of the run's flow.
    let isChecked: Bool
    /// The names of the signals whose examples are known.
    let signals: [String]
    /// Whether the user has reviewed the input and only confirms it.
    var confirms: Bool
    /// The reason why the form is shown again.
    var problem: InspectorRefusal?

    var page: InspectorPage {
      InspectorPage(
        title: action.title,
        head: HTML.element("section", [.class("action")]) {
          HTML.element("h1") { HTML.text(confirms ? "\(action.title)?" : action.title) }
          HTML.element("p") {
            parts.badge(run.state)
            HTML.text(" ")
            parts.link(run.title(), to: parts.address.run(run.id))
            HTML.text(" of \(run.flow), stage \(run.sequence) ")
            parts.code(
              run.state == .completed ? "completion" : parts.redaction.name(of: run.payload))
          }
          HTML.element("p", [.class("effect")]) {
            HTML.text(action.effect(on: run, isChecked: isChecked))
          }
          if let problem {
            HTML.element("p", [.class("banner bad"), HTMLAttribute("role", "alert")]) {
              HTML.text(problem.message)
            }
          }
          if confirms { content }
          body
        }, status: problem?.status ?? 200)
    }

    private var body: HTML {
      HTML.element(
        "form",
        [
          HTMLAttribute("method", "post"),
          .address("action", parts.address.action(action, on: run.id)),
        ]
      ) {
        parts.hidden("form-token", token)
        parts.hidden("sequence", "\(run.sequence)")
        if confirms {
          parts.hidden("confirmed", "yes")
          if action == .fork {
            parts.hidden("from", form.from)
            parts.hidden("fork", form.fork)
          }
          if action == .edit || action == .signal {
            parts.hidden("payload", form.payload)
            parts.hidden("version", form.version)
            parts.hidden("name", form.name)
            parts.hidden("identifier", form.identifier)
          }
        } else if action == .fork {
          parts.input(
            "Stage", "from", form.from,
            help:
              "The number of the stage that the new run begins at; this run is at \(run.sequence).")
        } else {
          fields
        }
        HTML.element("div", [.class("buttons")]) {
          HTML.element(
            "button",
            [
              HTMLAttribute("type", "submit"),
              .class(action == .cancel ? "primary danger" : "primary"),
            ]
          ) { HTML.text(confirms ? action.title : "Review") }
          parts.link("Back to the run", to: parts.address.run(run.id), class: "button")
        }
      }
    }

    private var fields: HTML {
      HTML.joined([
        action == .signal
          ? parts.input(
            "Name", "name", form.name,
            help: run.awaitedSignals.count > 1
              ? "The stage receives \(run.awaitedSignals.quoted(separator: " or "))."
              : "The name that the stage receives by.",
            suggestions: signals) : .empty,
        parts.payload(action == .edit ? "Stage, as JSON" : "Payload, as JSON", form.payload),
        action == .edit && form.payload.contains(RedactedJSON.dots)
          ? HTML.element("p", [.class("note")]) {
            HTML.text(
              "Numbered dots stand for redacted values; dots that you leave keep their value.")
          } : .empty,
        action == .edit
          ? parts.input(
            "Version", "version", form.version,
            help:
              "The version of the flow that the stage is for; \(run.version) as it was, if empty.")
          : parts.input(
            "Identifier", "identifier", form.identifier,
            help: "A signal that is sent again under the same identifier is the same signal."),
      ])
    }

    /// The input to confirm.
    @HTMLBuilder private var content: HTML {
      if action == .edit {
        let difference = StageDifference(
          form.json, before: run.payload, hiding: parts.redaction,
          byteLimit: StageDifference.byteLimit.reviewed)
        if !difference.hasChanges {
          HTML.element("p", [.class("note")]) { HTML.text("The stage is as it was.") }
        }
        parts.stage(difference)
        HTML.element("p", [.class("note")]) {
          HTML.text("Version \(form.version.isEmpty ? "\(run.version), as it was" : form.version).")
        }
      }
      if action == .fork {
        HTML.element("p") { HTML.text("From stage \(form.from).") }
      }
      if action == .signal {
        HTML.element("p") {
          HTML.text("Signal ")
          parts.code(form.name)
          HTML.text(" with the identifier ")
          parts.code(form.identifier)
          HTML.text(":")
        }
        parts.stage(StageDifference(form.json, before: nil, hiding: parts.redaction))
      }
    }
  }

  extension PageParts {
    /// A field of a form, with its explanation.
    func input(
      _ title: String, _ name: String, _ value: String, help: String, suggestions: [String] = []
    ) -> HTML {
      HTML.element("label") {
        HTML.element("span") { HTML.text(title) }
        HTML.element(
          "input",
          [
            HTMLAttribute("name", name), HTMLAttribute("value", value),
            HTMLAttribute("autocomplete", "off"), HTMLAttribute("spellcheck", "false"),
          ] + (suggestions.isEmpty ? [] : [HTMLAttribute("list", "\(name)-list")]))
        if !suggestions.isEmpty {
          HTML.element("datalist", [.id("\(name)-list")]) {
            for suggestion in suggestions {
              HTML.element("option", [HTMLAttribute("value", suggestion)])
            }
          }
        }
        HTML.element("small") { HTML.text(help) }
      }
    }

    /// The field for JSON.
    func payload(_ title: String, _ text: String) -> HTML {
      HTML.element("label", [.class("wide")]) {
        HTML.element("span") { HTML.text(title) }
        HTML.element(
          "textarea",
          [
            HTMLAttribute("name", "payload"), HTMLAttribute("spellcheck", "false"),
            HTMLAttribute("rows", "\(min(max(text.split(separator: "\n").count + 1, 5), 30))"),
          ]
        ) { HTML.text("\n" + text) }
      }
    }
  }
#endif
