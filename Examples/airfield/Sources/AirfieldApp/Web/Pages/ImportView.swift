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
      HTML.trail { HTML.link("All airports", to: .directory()) }
      HTML.element("h1") { HTML.text("Import airports") }
      HTML.paragraph(
        "Airports of the file that are new are added, and those with a code that is here already "
          + "take over what the file says. Nothing is removed.", "place lead")
      // A refusal is of this page alone, a problem of all.
      HTML.element("div", ["id": "import-refusal"]) { HTML.note(refusal) }
      part("problem")
      HTML.element("p", ["id": "import-said", "class": "unseen", "role": "status"]) { said }
      HTML.element("section", ["class": "import", "aria-label": "The import"]) {
        part("head")
        part("progress")
        part("actions")
      }
      ImportChooser(limit: screen.limit).html
      part("rejects")
    }
  }

  /// The parts with the identifiers of their elements.
  var parts: [(id: String, html: HTML)] {
    [
      ("import-problem", HTML.problem(screen.problem, isBlind: screen.isBlind, at: .importing)),
      ("import-said", said), ("import-head", head), ("import-progress", progress),
      ("import-actions", actions), ("import-rejects", rejects),
    ]
  }

  private func part(_ name: String) -> HTML {
    let id = "import-" + name
    return HTML.element("div", ["id": id]) { parts.first { $0.id == id }?.html ?? .empty }
  }

  /// What is read out when it changes.
  private var said: HTML {
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
  @HTMLBuilder private var head: HTML {
    switch screen.state {
    case .unknown, .nothing: .empty
    case .uploading: heading(HTML.text("Receiving the file…"), isBusy: true)
    case .comparing(let file):
      heading(
        HTML.joined([HTML.text("Comparing "), HTML.name(file), HTML.text(" with what is stored…")]),
        isBusy: true)
    case .compared(let file, let preview): PreviewView(file: file, preview: preview).head
    case .running(let status):
      heading(title(status, "Importing ", "…"), isBusy: true)
      if let reason = status.wait {
        HTML.paragraph("Waiting to store more. " + HTML.sentence(reason), "note import-wait")
      }
    case .cancelled(let status):
      heading(title(status, "", " was cancelled"))
      HTML.paragraph(
        "What was stored stays. It can go on from there, or be given up; then its file is removed "
          + "here.")
    case .finished(let status): heading(title(status, "", " is imported"))
    case .failed(let status, let message, let canGoOn):
      heading(title(status, "", canGoOn ? " has stopped" : " was not imported"))
      HTML.paragraph(HTML.sentence(message), "import-error")
      if canGoOn { HTML.paragraph("What was stored stays. It can be tried again from there.") }
    }
  }

  @HTMLBuilder private var progress: HTML {
    switch screen.state {
    case .unknown, .nothing, .comparing: .empty
    case .compared(let file, let preview):
      counts(preview.counts)
      PreviewView(file: file, preview: preview).columns
    case .uploading(let received, let total):
      HTML.progress(Double(received) / Double(max(1, total)), "Received")
    case .running(let status), .cancelled(let status):
      HTML.progress(status.progress.fraction, "Imported")
      counts(status.progress.counts)
    case .finished(let status): counts(status.progress.counts)
    case .failed(let status, _, _):
      if status.progress.counts.read > 0 { counts(status.progress.counts) }
    }
  }

  /// What can be done about it.
  @HTMLBuilder private var actions: HTML {
    switch screen.state {
    case .unknown, .nothing, .uploading, .failed(_, _, false): .empty
    case .comparing:
      HTML.buttons(at: .importing, [("discard", "Cancel")])
      HTML.lookAgain(at: .importing)
    case .compared: HTML.buttons(at: .importing, [("import", "Import"), ("discard", "Discard")])
    case .running:
      HTML.buttons(at: .importing, [("cancel", "Cancel")])
      HTML.lookAgain(at: .importing)
    case .cancelled: HTML.buttons(at: .importing, [("resume", "Go on"), ("giveUp", "Give it up")])
    case .finished:
      HTML.element("p") { HTML.link("See the airports", to: .directory(), [.class("button")]) }
    case .failed: HTML.buttons(at: .importing, [("resume", "Try again"), ("giveUp", "Give it up")])
    }
  }

  /// The rows that became no airports: where they are, and why; or what would change.
  @HTMLBuilder private var rejects: HTML {
    if case .compared(let file, let preview) = screen.state {
      PreviewView(file: file, preview: preview).changes
    } else if let status = screen.state.status, !status.rejects.isEmpty {
      let total = status.progress.counts.rejected
      HTML.element("section", ["class": "rejects", "aria-labelledby": "rejects-title"]) {
        HTML.element("h2", ["id": "rejects-title"]) {
          HTML.text(
            total == 1 ? "1 row was rejected" : "\(GroupedNumber.text(total)) rows were rejected")
        }
        HTML.paragraph(
          "Mend them in the file and import it again: what is here already is left as it is.",
          "place")
        HTML.element("p", ["class": "place"]) { HTML.link("Download all as CSV", to: .rejects) }
        HTML.table(
          "Rejected rows", ["Line", "Reason"], head: "line",
          status.rejects.map { (HTML.text(GroupedNumber.text($0.line)), HTML.name($0.reason)) })
        if total > status.rejects.count {
          HTML.paragraph("…and \(GroupedNumber.text(total - status.rejects.count)) more.", "place")
        }
      }
    }
  }

  private func heading(_ text: HTML, isBusy: Bool = false) -> HTML {
    HTML.element("h2", ["class": isBusy ? "import-busy" : nil]) { text }
  }

  private func title(_ status: ImportStatus, _ before: String, _ after: String) -> HTML {
    HTML.joined([
      HTML.text(before), status.file.map(HTML.name) ?? HTML.text("The file"), HTML.text(after),
    ])
  }

  private func counts(_ counts: ImportCounts) -> HTML {
    let numbers = [
      ("Rows read", counts.read), ("New", counts.stored), ("Changed", counts.updated),
      ("Unchanged", counts.unchanged), ("Rejected", counts.rejected),
    ]
    return HTML.facts("import-counts", numbers.map { ($0, HTML.text(GroupedNumber.text($1))) })
  }
}

/// The form that takes a file: by its button, or, with scripts, by dropping the file anywhere.
private struct ImportChooser {
  let limit: Int

  var html: HTML {
    HTML.element(
      "form",
      [
        "id": "import-form", "class": "import-choose", "method": "post",
        "enctype": "multipart/form-data", "action": PageAddress.importing.text,
        "data-limit": "\(limit)", "data-too-large": UploadError.tooLarge(limit: limit).message,
      ]
    ) {
      HTML.element("div", ["class": "drop"]) {
        HTML.element("label", ["for": "file"]) { HTML.text("A CSV file of airports") }
        HTML.paragraph("Drop it anywhere on this page, or choose it.", "with-script drop-hint")
        HTML.element(
          "input",
          [
            .id("file"), HTMLAttribute("type", "file"), HTMLAttribute("name", "file"),
            HTMLAttribute("accept", ".csv,text/csv"), HTMLAttribute("required", isOn: true),
            HTMLAttribute("aria-describedby", "file-help"),
          ])
        HTML.element("button", ["type": "submit"]) { HTML.text("Import") }
        HTML.element(
          "button", ["type": "submit", "class": "quiet", "name": "do", "value": SiteUpload.preview]
        ) { HTML.text("Preview") }
      }
      HTML.element("p", ["id": "file-help", "class": "field-help"]) {
        HTML.text(
          "UTF-8, at most \(UploadError.size(limit)). Its first line names the columns, in any order: "
        )
        HTML.element("code") { HTML.text("icao, name, country, lat, lon, tz") }
        HTML.text(" have to be there, ")
        HTML.element("code") { HTML.text("iata, city, subd, elevation, lid") }
        HTML.text(" may be. A preview shows what would change, and changes nothing.")
      }
    }
  }
}

/// What the import of a file would do, which waits for a word.
private struct PreviewView {
  let file: String
  let preview: ImportPreview

  @HTMLBuilder var said: HTML {
    HTML.text("The preview of ")
    HTML.name(file)
    HTML.text(
      " is there: \(GroupedNumber.text(preview.counts.stored)) new, "
        + "\(GroupedNumber.text(preview.counts.updated)) changed.")
  }

  /// That nothing is stored yet.
  @HTMLBuilder var head: HTML {
    HTML.element("h2", ["class": "import-asking"]) {
      HTML.text("Preview of ")
      HTML.name(file)
    }
    HTML.paragraph("Nothing is stored yet. Imported now, the file would do this:")
  }

  /// In how many airports each column would change.
  @HTMLBuilder var columns: HTML {
    let named = AirportColumn.allCases.compactMap { column in
      text(of: column).map { (column.title, HTML.text($0)) }
    }
    if !named.isEmpty { HTML.facts("facts", named) }
    if !preview.absent.isEmpty {
      HTML.paragraph(
        "The file says nothing of \(preview.absent.map(\.title).joined(separator: ", ")): what is "
          + "stored there stays.")
    }
  }

  private func text(of column: AirportColumn) -> String? {
    let parts = [("changed", preview.changed[column]), ("cleared", preview.cleared[column])]
    let texts = parts.compactMap { word, count in
      count.map { "\(word) in \(GroupedNumber.airports($0))" }
    }
    return texts.isEmpty ? nil : texts.joined(separator: ", ")
  }

  /// The first changes one by one.
  @HTMLBuilder var changes: HTML {
    if !preview.changes.isEmpty {
      HTML.element("section", ["class": "rejects", "aria-labelledby": "changes-title"]) {
        HTML.element("h2", ["id": "changes-title"]) { HTML.text("What would change") }
        HTML.table(
          "The first changes", ["Airport", "Change"], head: "line",
          preview.changes.map { (HTML.name($0.icao), text(of: $0)) })
        if !isWhole { HTML.paragraph("…and more.", "place") }
      }
    }
  }

  private var isWhole: Bool {
    let all = preview.changed.values.reduce(0, +) + preview.cleared.values.reduce(0, +)
    return all == preview.changes.count
  }

  @HTMLBuilder private func text(of change: ImportPreview.Change) -> HTML {
    HTML.text(change.column.title + ": ")
    change.old.map(HTML.name) ?? HTML.text("nothing")
    HTML.text(" becomes ")
    change.new.map(HTML.name) ?? HTML.text("nothing")
  }
}
