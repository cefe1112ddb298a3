import AirfieldDirectory
import AirfieldScreens
import FieldstoneHTML
import Foundation

/// The page of the nightly export; its parts are replaced one by one, so that a button which is being
/// pressed stays.
@MainActor
struct NightlyView {
  let screen: NightlyScreen
  let theme: AppSettings.Theme
  let notes: SiteNotes

  var html: HTML {
    Layout(
      title: "Nightly export", theme: theme, current: .nightly, live: LiveRequest(.nightly),
      notes: notes, refreshes: status?.current != nil
    ).page {
      HTML.element("nav", [.class("trail"), HTMLAttribute("aria-label", "Way back")]) {
        HTML.link("All airports", to: .directory(AirportQuery(), page: PageNumber(1)))
      }
      HTML.element("h1") { HTML.text("Nightly export") }
      HTML.paragraph(
        "Each night a new CSV file gets all airports. It can be imported again.", "place lead")
      part("problem")
      HTML.element("p", [.id("nightly-said"), .class("unseen"), HTMLAttribute("role", "status")]) {
        said
      }
      HTML.element("section", [.class("import"), HTMLAttribute("aria-label", "The schedule")]) {
        part("schedule")
        part("actions")
      }
      HTML.element("section", [.class("import"), HTMLAttribute("aria-label", "Under way")]) {
        part("current")
      }
      part("past")
    }
  }

  /// The parts with the identifiers of their elements.
  var parts: [(id: String, html: HTML)] {
    [
      ("nightly-problem", problem), ("nightly-said", said), ("nightly-schedule", schedule),
      ("nightly-actions", actions), ("nightly-current", current), ("nightly-past", past),
    ]
  }

  private func part(_ name: String) -> HTML {
    let id = "nightly-" + name
    return HTML.element("div", [.id(id)]) { parts.first { $0.id == id }?.html ?? .empty }
  }

  private var status: NightlyStatus? {
    if case .scheduled(let status) = screen.state { status } else { nil }
  }

  private var problem: HTML {
    HTML.joined([
      HTML.note(screen.problem),
      screen.isBlind
        ? HTML.element("div", [.class("import-blind")]) {
          HTML.buttons(at: .nightly, [("look", "Try again")])
        } : .empty,
    ])
  }

  /// What is read out when it changes.
  private var said: HTML {
    guard let status else { return .empty }
    if let current = status.current {
      return HTML.text(current.wait.map { "Waiting. " + HTML.sentence($0) } ?? "Exporting.")
    }
    return HTML.text(status.isPaused ? "Paused." : "")
  }

  private var schedule: HTML {
    guard let status else {
      return screen.state == .nothing ? Self.missing : .empty
    }
    let plan = status.plan
    return HTML.joined([
      HTML.element("h2") {
        HTML.text("Every night at \(plan.time)")
        if status.isPaused {
          HTML.element("span", [.class("tag warning")]) { HTML.text("Paused") }
        }
      },
      HTML.element("dl", [.class("facts")]) {
        fact("Next") {
          status.isPaused
            ? HTML.text("Not before it goes on")
            : status.next.map { moment($0, plan) } ?? HTML.text("None")
        }
        fact("Time zone") { HTML.name(plan.zone) }
        fact("Folder") { HTML.element("code") { HTML.name(plan.folder) } }
        fact("Files kept") {
          HTML.text(
            plan.kept == 1 ? "The newest one" : "The newest \(GroupedNumber.text(plan.kept))")
        }
      },
      HTML.paragraph(
        "If no server ran at that time, one export is made as soon as one runs. A night is left out "
          + "while an export is under way."),
    ])
  }

  private static var missing: HTML {
    HTML.joined([
      HTML.element("h2") { HTML.text("No nightly export is set up") },
      HTML.element("p") {
        HTML.text("Start the server with a folder for the files: ")
        HTML.element("code") { HTML.text("airfield serve --database PATH --nightly-export FOLDER") }
      },
    ])
  }

  private var actions: HTML {
    guard let status else { return .empty }
    var choices: [(name: String, label: String)] = []
    if status.current == nil { choices.append(("run", "Export now")) }
    choices.append(status.isPaused ? ("resume", "Go on") : ("pause", "Pause"))
    return HTML.buttons(at: .nightly, choices)
  }

  private var current: HTML {
    guard let status, let current = status.current else { return .empty }
    return HTML.joined([
      HTML.element("h2", [.class("import-busy")]) {
        HTML.text(current.wait == nil ? "Exporting…" : "Waiting")
      },
      current.wait.map { HTML.paragraph(HTML.sentence($0), "note import-wait") } ?? .empty,
      HTML.progress(current.progress.fraction, "Exported"),
      HTML.element("p") {
        HTML.text(airports(current.progress.rows) + " so far. Begun ")
        moment(current.startedAt, status.plan)
        HTML.text(".")
      },
      HTML.buttons(at: .nightly, [("cancel", "Cancel")]),
      HTML.element("p", [.class("without-script")]) {
        HTML.link("See how far it is", to: .nightly)
      },
    ])
  }

  private var past: HTML {
    guard let status, !status.past.isEmpty else { return .empty }
    return HTML.element(
      "section", [.class("rejects exports"), HTMLAttribute("aria-labelledby", "past-title")]
    ) {
      HTML.element("h2", [.id("past-title")]) { HTML.text("Last exports") }
      HTML.table(
        "Last exports, the newest first", ["Begun", "Result"], head: "when",
        status.past.map { (moment($0.startedAt, status.plan), result($0)) })
    }
  }

  private func result(_ export: NightlyStatus.Past) -> HTML {
    switch export.end {
    case .exported(let file, let rows):
      return HTML.joined([
        HTML.text(airports(rows)),
        HTML.element("span", [.class("file")]) {
          HTML.element("code") { HTML.name(file) }
          if !export.isKept { HTML.text(" (removed since)") }
        },
      ])
    case .failed(let message):
      return HTML.element("span", [.class("failed")]) {
        HTML.text("Failed: " + HTML.sentence(message))
      }
    case .cancelled: return HTML.text("Cancelled")
    }
  }

  private func fact(_ name: String, _ value: () -> HTML) -> HTML {
    HTML.element("div") {
      HTML.element("dt") { HTML.text(name) }
      HTML.element("dd") { value() }
    }
  }

  private func moment(_ date: Date, _ plan: NightlyPlan) -> HTML {
    HTML.element("time", [HTMLAttribute("datetime", date.formatted(.iso8601))]) {
      HTML.text(Measures.moment(date, in: plan.zone) ?? date.formatted(.iso8601))
    }
  }

  private func airports(_ count: Int) -> String {
    count == 1 ? "1 airport" : GroupedNumber.text(count) + " airports"
  }
}
