import AirfieldDirectory
import AirfieldScreens
import Fieldstone
import FieldstoneHTML

/// The page that imports a file; its parts are replaced one by one, so that a button which is being
/// pressed stays.
@MainActor
struct ImportView {
  let screen: ImportScreen
  let settings: AppSettings
  let notes: SiteNotes

  /// Why the file that this page was sent was not taken.
  var refusal: String?

  var html: HTML {
    Layout(
      title: "Import", theme: settings.theme, current: .importing, live: LiveRequest(.importing),
      notes: notes, refreshes: screen.state.isBusy && refusal == nil
    ).page {
      HTML.element("nav", [.class("trail"), HTMLAttribute("aria-label", "Way back")]) {
        HTML.link("All airports", to: .directory(AirportQuery(), page: PageNumber(1)))
      }
      HTML.element("h1") { HTML.text("Import airports") }
      HTML.paragraph(
        "Airports of the file that are new are added, and those with a code that is here already "
          + "take over what the file says. Nothing is removed.", "place lead")
      // A refusal is of this page alone, a problem of all.
      HTML.element("div", [.id("import-refusal")]) { HTML.note(refusal) }
      HTML.element("div", [.id("import-problem")]) { problem }
      HTML.element("p", [.id("import-said"), .class("unseen"), HTMLAttribute("role", "status")]) {
        said
      }
      HTML.element(
        "section", [.class("import"), HTMLAttribute("aria-label", "The import")]
      ) {
        HTML.element("div", [.id("import-head")]) { head }
        HTML.element("div", [.id("import-progress")]) { progress }
        HTML.element("div", [.id("import-actions")]) { actions }
      }
      chooser
      HTML.element("div", [.id("import-rejects")]) { rejects }
    }
  }

  /// Why it was not done what somebody asked for last.
  var problem: HTML {
    HTML.joined([
      HTML.note(screen.problem),
      screen.isBlind
        ? HTML.element("div", [.class("import-blind")]) {
          HTML.buttons(at: .importing, [("look", "Try again")])
        } : .empty,
    ])
  }

  /// What is read out when it changes.
  var said: HTML {
    switch screen.state {
    case .unknown, .nothing: .empty
    case .uploading: HTML.text("Receiving the file.")
    case .comparing: HTML.text("Comparing the file with what is stored.")
    case .compared(let file, let preview): PreviewView(file: file, preview: preview).said
    case .running(let status):
      title(status, "Importing ", status.wait.map { " is waiting. " + HTML.sentence($0) } ?? ".")
    case .cancelled(let status): title(status, "", " was cancelled.")
    case .finished(let status): title(status, "", " is imported.")
    case .failed(let status, let message, _): title(status, "", " was not imported. " + message)
    }
  }

  /// What is going on, or was.
  var head: HTML {
    switch screen.state {
    case .unknown, .nothing: .empty
    case .uploading: heading(HTML.text("Receiving the file…"), isBusy: true)
    case .comparing(let file):
      heading(
        HTML.joined([HTML.text("Comparing "), HTML.name(file), HTML.text(" with what is stored…")]),
        isBusy: true)
    case .compared(let file, let preview): PreviewView(file: file, preview: preview).head
    case .running(let status):
      HTML.joined([
        heading(title(status, "Importing ", "…"), isBusy: true),
        status.wait.map { reason in
          HTML.paragraph("Waiting to store more. " + HTML.sentence(reason), "note import-wait")
        } ?? .empty,
      ])
    case .cancelled(let status):
      HTML.joined([
        heading(title(status, "", " was cancelled")),
        HTML.paragraph(
          "What was stored stays. It can go on from there, or be given up; then its file is "
            + "removed here."),
      ])
    case .finished(let status): heading(title(status, "", " is imported"))
    case .failed(let status, let message, let canGoOn):
      HTML.joined([
        heading(title(status, "", canGoOn ? " has stopped" : " was not imported")),
        HTML.paragraph(HTML.sentence(message), "import-error"),
        canGoOn
          ? HTML.paragraph("What was stored stays. It can be tried again from there.") : .empty,
      ])
    }
  }

  /// How far it has come.
  var progress: HTML {
    switch screen.state {
    case .unknown, .nothing, .comparing: .empty
    case .compared(let file, let preview):
      HTML.joined([counts(preview.counts), PreviewView(file: file, preview: preview).columns])
    case .uploading(let received, let total):
      HTML.progress(Double(received) / Double(max(1, total)), "Received")
    case .running(let status):
      HTML.joined([
        HTML.progress(status.progress.fraction, "Imported"), counts(status.progress.counts),
      ])
    case .cancelled(let status):
      HTML.joined([
        HTML.progress(status.progress.fraction, "Imported"), counts(status.progress.counts),
      ])
    case .finished(let status): counts(status.progress.counts)
    case .failed(let status, _, _):
      status.progress.counts.read > 0 ? counts(status.progress.counts) : .empty
    }
  }

  /// What can be done about it.
  var actions: HTML {
    switch screen.state {
    case .unknown, .nothing, .uploading: .empty
    case .comparing: HTML.joined([HTML.buttons(at: .importing, [("discard", "Cancel")]), again])
    case .compared:
      HTML.buttons(at: .importing, [("import", "Import"), ("discard", "Discard")])
    case .running: HTML.joined([HTML.buttons(at: .importing, [("cancel", "Cancel")]), again])
    case .cancelled:
      HTML.buttons(at: .importing, [("resume", "Go on"), ("giveUp", "Give it up")])
    case .finished:
      HTML.element("p") {
        HTML.link(
          "See the airports", to: .directory(AirportQuery(), page: PageNumber(1)),
          [.class("button")])
      }
    case .failed(_, _, let canGoOn):
      canGoOn
        ? HTML.buttons(at: .importing, [("resume", "Try again"), ("giveUp", "Give it up")]) : .empty
    }
  }

  /// Shows how far it is by then, where no script does.
  private var again: HTML {
    HTML.element("p", [.class("without-script")]) {
      HTML.link("See how far it is", to: .importing)
    }
  }

  /// The rows that became no airports, or what would change.
  var rejects: HTML {
    if case .compared(let file, let preview) = screen.state {
      return PreviewView(file: file, preview: preview).changes
    }
    guard let status = screen.state.status, !status.rejects.isEmpty else { return .empty }
    return RejectsTable(rejects: status.rejects, total: status.progress.counts.rejected).html
  }

  private func heading(_ text: HTML, isBusy: Bool = false) -> HTML {
    HTML.element("h2", [HTMLAttribute("class", isBusy ? "import-busy" : nil)]) { text }
  }

  private func title(_ status: ImportStatus, _ before: String, _ after: String) -> HTML {
    HTML.joined([
      HTML.text(before), status.file.map(HTML.name) ?? HTML.text("The file"), HTML.text(after),
    ])
  }

  private func counts(_ counts: ImportCounts) -> HTML {
    HTML.element("dl", [.class("import-counts")]) {
      for (label, number) in [
        ("Rows read", counts.read), ("New", counts.stored), ("Changed", counts.updated),
        ("Unchanged", counts.unchanged), ("Rejected", counts.rejected),
      ] {
        HTML.element("div") {
          HTML.element("dt") { HTML.text(label) }
          HTML.element("dd") { HTML.text(GroupedNumber.text(number)) }
        }
      }
    }
  }

  private var chooser: HTML {
    ImportChooser(limit: screen.limit).html
  }
}
