import AirfieldDirectory
import FieldstoneHTML

/// The form that takes a file: by its button, or, with scripts, by dropping the file anywhere.
struct ImportChooser {
  /// The most bytes that the file may have.
  let limit: Int

  var html: HTML {
    HTML.element(
      "form",
      [
        .id("import-form"), .class("import-choose"), HTMLAttribute("method", "post"),
        HTMLAttribute("enctype", "multipart/form-data"),
        .address("action", PageAddress.importing.text), HTMLAttribute("data-limit", "\(limit)"),
        HTMLAttribute("data-too-large", UploadError.tooLarge(limit: limit).message),
      ]
    ) {
      HTML.element("div", [.class("drop")]) {
        HTML.element("label", [HTMLAttribute("for", "file")]) {
          HTML.text("A CSV file of airports")
        }
        HTML.paragraph("Drop it anywhere on this page, or choose it.", "with-script drop-hint")
        HTML.element(
          "input",
          [
            .id("file"), HTMLAttribute("type", "file"), HTMLAttribute("name", "file"),
            HTMLAttribute("accept", ".csv,text/csv"), HTMLAttribute("required", isOn: true),
            HTMLAttribute("aria-describedby", "file-help"),
          ])
        HTML.element("button", [HTMLAttribute("type", "submit")]) { HTML.text("Import") }
        HTML.element(
          "button",
          [
            HTMLAttribute("type", "submit"), .class("quiet"), HTMLAttribute("name", "do"),
            HTMLAttribute("value", SiteUpload.preview),
          ]
        ) { HTML.text("Preview") }
      }
      HTML.element("p", [.id("file-help"), .class("field-help")]) {
        HTML.text("UTF-8, at most \(size). Its first line names the columns, in any order: ")
        HTML.element("code") { HTML.text("icao, name, country, lat, lon, tz") }
        HTML.text(" have to be there, ")
        HTML.element("code") { HTML.text("iata, city, subd, elevation, lid") }
        HTML.text(" may be. A preview shows what would change, and changes nothing.")
      }
    }
  }

  private var size: String {
    let megabyte = 1 << 20
    return limit >= megabyte ? "\(limit / megabyte) MB" : "\(GroupedNumber.text(limit)) bytes"
  }
}
