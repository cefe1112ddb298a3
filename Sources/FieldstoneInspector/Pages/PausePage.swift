#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import FieldstoneServing
  import Foundation

  /// The end of a pause as a user types it, in UTC.
  struct PauseEnd: Hashable {
    let text: String
    /// Nil for a pause without an end.
    let date: Date?

    /// Parses a day and a time in UTC.
    ///
    /// - Throws: `InspectorRefusal` for an invalid text, and for a time in the past.
    init(_ text: String, after now: Date) throws(InspectorRefusal) {
      self.text = text
      guard !text.isEmpty else {
        date = nil
        return
      }
      guard let date = FormTime.time(of: text) else {
        throw InspectorRefusal(
          422, "“\(text.prefix(64))” is no time; write it as 2026-11-21T15:30, in UTC.")
      }
      guard date > now else {
        throw InspectorRefusal(
          422, "\(StageText.time(date)) UTC is over; write a time to come, or none.")
      }
      self.date = date
    }
  }

  /// Asks for the end of a pause, and for its confirmation.
  struct PausePage {
    let parts: PageParts
    let action: PauseAction
    let target: PauseTarget
    /// The typed end to confirm; nil to ask for it.
    var end: PauseEnd?
    /// The input that is shown again.
    var typed = ""
    var problem: InspectorRefusal?

    private var confirms: Bool { action == .resume || end != nil }

    var page: InspectorPage {
      InspectorPage(
        title: "\(action.title) \(target.text.inOneLine.cut(to: 80))",
        head: HTML.element("section", [.class("action")]) {
          HTML.element("h1") { HTML.text(title) }
          HTML.element("p", [.class("effect")]) { HTML.text(action.effect(on: target)) }
          if let problem {
            HTML.element("p", [.class("banner bad"), HTMLAttribute("role", "alert")]) {
              HTML.text(problem.message)
            }
          }
          form
        }, status: problem?.status ?? 200)
    }

    private var title: String {
      let subject = "\(action.title) \(target.text.inOneLine.cut(to: 200))"
      guard confirms else { return subject }
      return subject + (end?.date.map { " until \(StageText.time($0)) UTC" } ?? "") + "?"
    }

    private var form: HTML {
      HTML.element(
        "form",
        [
          HTMLAttribute("method", "post"),
          .address("action", parts.address.pausing(action, target)),
        ]
      ) {
        parts.token
        if confirms {
          parts.hidden("confirmed", "yes")
          if let end { parts.hidden("until", end.text) }
        } else {
          parts.pauseEnd(typed)
        }
        HTML.element("div", [.class("buttons")]) {
          HTML.element("button", [HTMLAttribute("type", "submit"), .class("primary")]) {
            HTML.text(confirms ? action.title : "Review")
          }
          parts.link("Back", to: parts.address.page(of: target), class: "button")
        }
      }
    }
  }

  extension PageParts {
    /// The field for the end of a pause.
    func pauseEnd(_ typed: String) -> HTML {
      HTML.element("label") {
        HTML.element("span") { HTML.text("Until, in UTC") }
        HTML.element(
          "input",
          [
            HTMLAttribute("type", "datetime-local"), HTMLAttribute("name", "until"),
            HTMLAttribute("value", typed),
          ])
        HTML.element("small") {
          HTML.text("It is \(StageText.time(now)) UTC. Empty: until somebody resumes it.")
        }
      }
    }
  }
#endif
