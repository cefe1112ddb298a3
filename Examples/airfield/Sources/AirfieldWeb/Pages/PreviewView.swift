import AirfieldDirectory
import FieldstoneHTML

/// What the import of a file would do, which waits for a word.
struct PreviewView {
  let file: String
  let preview: ImportPreview

  /// What is read out when it is there.
  var said: HTML {
    let counts = preview.counts
    return HTML.joined([
      HTML.text("The preview of "), HTML.name(file),
      HTML.text(
        " is there: \(GroupedNumber.text(counts.stored)) new, "
          + "\(GroupedNumber.text(counts.updated)) changed."),
    ])
  }

  /// That nothing is stored yet.
  var head: HTML {
    HTML.joined([
      HTML.element("h2", [.class("import-asking")]) {
        HTML.text("Preview of ")
        HTML.name(file)
      },
      HTML.paragraph("Nothing is stored yet. Imported now, the file would do this:"),
    ])
  }

  /// In how many airports each column would change.
  var columns: HTML {
    let named = AirportColumn.allCases.compactMap { column in
      text(of: column).map { (column.title, $0) }
    }
    return HTML.joined([
      named.isEmpty
        ? .empty
        : HTML.element("dl", [.class("facts")]) {
          for (title, text) in named {
            HTML.element("div") {
              HTML.element("dt") { HTML.text(title) }
              HTML.element("dd") { HTML.text(text) }
            }
          }
        },
      preview.absent.isEmpty
        ? .empty
        : HTML.paragraph(
          "The file says nothing of \(preview.absent.map(\.title).joined(separator: ", ")): what is "
            + "stored there stays."),
    ])
  }

  private func text(of column: AirportColumn) -> String? {
    let parts = [("changed", preview.changed[column]), ("cleared", preview.cleared[column])]
    let texts = parts.compactMap { word, count in
      count.map { "\(word) in \($0 == 1 ? "1 airport" : GroupedNumber.text($0) + " airports")" }
    }
    return texts.isEmpty ? nil : texts.joined(separator: ", ")
  }

  /// The first changes one by one.
  var changes: HTML {
    guard !preview.changes.isEmpty else { return .empty }
    return HTML.element(
      "section", [.class("rejects"), HTMLAttribute("aria-labelledby", "changes-title")]
    ) {
      HTML.element("h2", [.id("changes-title")]) { HTML.text("What would change") }
      HTML.table(
        "The first changes", ["Airport", "Change"], head: "line",
        preview.changes.map { (HTML.name($0.icao), text(of: $0)) })
      isWhole ? .empty : HTML.paragraph("…and more.", "place")
    }
  }

  private var isWhole: Bool {
    let all = preview.changed.values.reduce(0, +) + preview.cleared.values.reduce(0, +)
    return all == preview.changes.count
  }

  private func text(of change: ImportPreview.Change) -> HTML {
    HTML.joined([
      HTML.text(change.column.title + ": "), change.old.map(HTML.name) ?? HTML.text("nothing"),
      HTML.text(" becomes "), change.new.map(HTML.name) ?? HTML.text("nothing"),
    ])
  }
}
