#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import FieldstoneServing
  import Foundation

  /// What a person has put into the form of an action.
  struct ActionForm {
    var payload: String
    var version: String
    var name: String
    var identifier: String

    /// Longer stages are edited with the command.
    static let longestPayload = 256 * 1_024

    /// An empty form for a run.
    init(_ action: RunAction, for run: RunRecord) {
      payload =
        action == .edit
        ? JSONLine.lines(of: run.payload).map(\.text).joined(separator: "\n") : "null"
      version = ""
      name = action == .signal ? run.awaitedSignal ?? "" : ""
      identifier = "inspector-" + Secret.make()
    }

    /// The form as it was posted.
    init(_ values: FormValues) {
      payload = (values["payload"] ?? "").replacing("\r\n", with: "\n")
      version = values["version"] ?? ""
      name = values["name"] ?? ""
      identifier = values["identifier"] ?? ""
    }

    /// The payload without the blanks that make it readable.
    var json: Data { JSONLine.compact(Data(payload.utf8)) }
  }

  /// The form of an action, or the question whether it is meant.
  struct ActionPage {
    let parts: PageParts
    let action: RunAction
    let run: RunRecord
    let form: ActionForm
    let token: String
    /// Whether the person has seen all, and only confirms.
    var confirms: Bool
    /// Why the form came back.
    var problem: InspectorRefusal?

    var page: InspectorPage {
      InspectorPage(
        title: action.title,
        head: HTML.element("section", [.class("action")]) {
          HTML.element("h1") { HTML.text(confirms ? "\(action.title)?" : action.title) }
          HTML.element("p") {
            parts.badge(run.state)
            HTML.text(" ")
            parts.link(run.key ?? "\(run.id)", to: parts.address.run(run.id))
            HTML.text(" of \(run.flow), stage \(run.sequence) ")
            parts.code(run.state == .completed ? "completion" : StageText.name(of: run.payload))
          }
          HTML.element("p", [.class("effect")]) { HTML.text(action.effect(on: run)) }
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
          if action == .edit || action == .signal {
            parts.hidden("payload", form.payload)
            parts.hidden("version", form.version)
            parts.hidden("name", form.name)
            parts.hidden("identifier", form.identifier)
          }
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
          ? input("Name", "name", form.name, help: "The name that the stage receives by.") : .empty,
        HTML.element("label", [.class("wide")]) {
          HTML.element("span") {
            HTML.text(action == .edit ? "Stage, as JSON" : "Payload, as JSON")
          }
          HTML.element(
            "textarea",
            [
              HTMLAttribute("name", "payload"), HTMLAttribute("spellcheck", "false"),
              HTMLAttribute(
                "rows", "\(min(max(form.payload.split(separator: "\n").count + 1, 5), 30))"),
            ]
          ) { HTML.text("\n" + form.payload) }
        },
        action == .edit
          ? input(
            "Version", "version", form.version,
            help:
              "The version of the flow that the stage is for; \(run.version) as it was, if empty.")
          : input(
            "Identifier", "identifier", form.identifier,
            help: "A signal that is sent again under the same identifier is the same signal."),
      ])
    }

    private func input(_ title: String, _ name: String, _ value: String, help: String) -> HTML {
      HTML.element("label") {
        HTML.element("span") { HTML.text(title) }
        HTML.element(
          "input",
          [
            HTMLAttribute("name", name), HTMLAttribute("value", value),
            HTMLAttribute("autocomplete", "off"), HTMLAttribute("spellcheck", "false"),
          ])
        HTML.element("small") { HTML.text(help) }
      }
    }

    /// What is to be confirmed.
    @HTMLBuilder private var content: HTML {
      if action == .edit {
        let difference = StageDifference(form.json, before: run.payload)
        if !difference.hasChanges {
          HTML.element("p", [.class("note")]) { HTML.text("The stage is as it was.") }
        }
        parts.stage(difference)
        HTML.element("p", [.class("note")]) {
          HTML.text("Version \(form.version.isEmpty ? "\(run.version), as it was" : form.version).")
        }
      }
      if action == .signal {
        HTML.element("p") {
          HTML.text("Signal ")
          parts.code(form.name)
          HTML.text(" with the identifier ")
          parts.code(form.identifier)
          HTML.text(":")
        }
        parts.stage(StageDifference(form.json, before: nil))
      }
    }
  }
#endif
