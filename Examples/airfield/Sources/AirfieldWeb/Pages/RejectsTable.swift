import AirfieldDirectory
import FieldstoneHTML

/// The rows of a file that became no airports: where they are, and why.
struct RejectsTable {
  /// The first of them.
  let rejects: [Reject]

  /// How many there are in all.
  let total: Int

  var html: HTML {
    HTML.element("section", [.class("rejects"), HTMLAttribute("aria-labelledby", "rejects-title")])
    {
      HTML.element("h2", [.id("rejects-title")]) {
        HTML.text(
          total == 1 ? "1 row was rejected" : "\(GroupedNumber.text(total)) rows were rejected")
      }
      HTML.paragraph(
        "Mend them in the file and import it again: what is here already is left as it is.", "place"
      )
      HTML.element("p", [.class("place")]) {
        HTML.element("a", [.address("href", PageAddress.rejects.text)]) {
          HTML.text("Download all as CSV")
        }
      }
      HTML.table(
        "Rejected rows", ["Line", "Reason"], head: "line",
        rejects.map { (HTML.text(GroupedNumber.text($0.line)), HTML.name($0.reason)) })
      total > rejects.count
        ? HTML.paragraph("…and \(GroupedNumber.text(total - rejects.count)) more.", "place")
        : .empty
    }
  }
}
