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
      HTML.trail { HTML.link("All airports", to: .directory()) }
      HTML.element("h1") { HTML.text("Nightly export") }
      HTML.paragraph(
        "Each night a new CSV file gets all airports. It can be imported again.", "place lead")
      part("problem")
      HTML.element("p", ["id": "nightly-said", "class": "unseen", "role": "status"]) { said }
      HTML.element("section", ["class": "import", "aria-label": "The schedule"]) {
        part("schedule")
        part("actions")
      }
      HTML.element("section", ["class": "import", "aria-label": "Under way"]) { part("current") }
      part("past")
    }
  }

  /// The parts with the identifiers of their elements.
  var parts: [(id: String, html: HTML)] {
    [
      ("nightly-problem", HTML.problem(screen.problem, isBlind: screen.isBlind, at: .nightly)),
      ("nightly-said", said), ("nightly-schedule", schedule), ("nightly-actions", actions),
      ("nightly-current", current), ("nightly-past", past),
    ]
  }

  private func part(_ name: String) -> HTML {
    let id = "nightly-" + name
    return HTML.element("div", ["id": id]) { parts.first { $0.id == id }?.html ?? .empty }
  }

  private var status: NightlyStatus? {
    if case .scheduled(let status) = screen.state { status } else { nil }
  }

  /// What is read out when it changes.
  private var said: HTML {
    guard let status else { return .empty }
    if let current = status.current {
      return HTML.text(current.wait.map { "Waiting. " + HTML.sentence($0) } ?? "Exporting.")
    }
    return HTML.text(status.isPaused ? "Paused." : "")
  }

  @HTMLBuilder private var schedule: HTML {
    if let status {
      let plan = status.plan
      HTML.element("h2") {
        HTML.text("Every night at \(plan.time)")
        if status.isPaused {
          HTML.element("span", ["class": "tag warning"]) { HTML.text("Paused") }
        }
      }
      HTML.facts(
        "facts",
        [
          (
            "Next",
            status.isPaused
              ? HTML.text("Not before it goes on")
              : status.next.map { moment($0, plan) } ?? HTML.text("None")
          ),
          ("Time zone", HTML.name(plan.zone)),
          ("Folder", HTML.element("code") { HTML.name(plan.folder) }),
          (
            "Files kept",
            HTML.text(
              plan.kept == 1 ? "The newest one" : "The newest \(GroupedNumber.text(plan.kept))")
          ),
        ])
      HTML.paragraph(
        "If no server ran at that time, one export is made as soon as one runs. A night is left out "
          + "while an export is under way.")
    } else if screen.state == .nothing {
      HTML.element("h2") { HTML.text("No nightly export is set up") }
      HTML.element("p") {
        HTML.text("Start the server with a folder for the files: ")
        HTML.element("code") { HTML.text("airfield serve --database PATH --nightly-export FOLDER") }
      }
    }
  }

  private var actions: HTML {
    guard let status else { return .empty }
    let now = status.current == nil ? [(name: "run", label: "Export now")] : []
    return HTML.buttons(
      at: .nightly, now + [status.isPaused ? ("resume", "Go on") : ("pause", "Pause")])
  }

  @HTMLBuilder private var current: HTML {
    if let status, let current = status.current {
      HTML.element("h2", ["class": "import-busy"]) {
        HTML.text(current.wait == nil ? "Exporting…" : "Waiting")
      }
      if let wait = current.wait { HTML.paragraph(HTML.sentence(wait), "note import-wait") }
      HTML.progress(current.progress.fraction, "Exported")
      HTML.element("p") {
        HTML.text(GroupedNumber.airports(current.progress.rows) + " so far. Begun ")
        moment(current.startedAt, status.plan)
        HTML.text(".")
      }
      HTML.buttons(at: .nightly, [("cancel", "Cancel")])
      HTML.lookAgain(at: .nightly)
    }
  }

  @HTMLBuilder private var past: HTML {
    if let status, !status.past.isEmpty {
      HTML.element("section", ["class": "rejects exports", "aria-labelledby": "past-title"]) {
        HTML.element("h2", ["id": "past-title"]) { HTML.text("Last exports") }
        HTML.table(
          "Last exports, the newest first", ["Begun", "Result"], head: "when",
          status.past.map { (moment($0.startedAt, status.plan), result($0)) })
      }
    }
  }

  @HTMLBuilder private func result(_ export: NightlyStatus.Past) -> HTML {
    switch export.end {
    case .exported(let file, let rows):
      HTML.text(GroupedNumber.airports(rows))
      HTML.element("span", ["class": "file"]) {
        HTML.element("code") { HTML.name(file) }
        if !export.isKept { HTML.text(" (removed since)") }
      }
    case .failed(let message):
      HTML.element("span", ["class": "failed"]) {
        HTML.text("Failed: " + HTML.sentence(message))
      }
    case .cancelled: HTML.text("Cancelled")
    }
  }

  private func moment(_ date: Date, _ plan: NightlyPlan) -> HTML {
    HTML.element("time", ["datetime": date.formatted(.iso8601)]) {
      HTML.text(Measures.moment(date, in: plan.zone) ?? date.formatted(.iso8601))
    }
  }
}
