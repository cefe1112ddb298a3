import AirfieldDirectory
import FieldstoneHTML

/// The filters beside the search field; they belong to its form.
struct FilterForm {
  let query: AirportQuery
  let countries: [CountryCount]

  /// What leads to the file of what is listed.
  let export: HTML

  var html: HTML {
    HTML.element("div", [.class("filters")]) {
      select(
        "country", "Country", "All countries",
        countries.map { ($0.code, "\($0.name) (\(GroupedNumber.text($0.count)))") },
        query.country)
      select(
        "kind", "Codes", "All airports",
        CodeKind.allCases.map { ($0.rawValue, Self.name(of: $0)) }, query.kind?.rawValue)
      select(
        "sort", "Sorted by", "Best match",
        AirportOrder.Column.allCases.flatMap { column in
          [false, true].map { AirportOrder(column, isDescending: $0) }
        }.map { ($0.text, DirectoryTexts.name(of: $0)) },
        query.order?.text)
      HTML.element(
        "button",
        [
          HTMLAttribute("type", "submit"), HTMLAttribute("form", "search"),
          .class("without-script quiet"),
        ]
      ) { HTML.text("Filter") }
      HTML.element("p", [.id("export"), .class("export")]) { export }
    }
  }

  private func select(
    _ name: String, _ label: String, _ all: String, _ options: [(String, String)],
    _ chosen: String?
  ) -> HTML {
    HTML.element("div", [.class("filter")]) {
      HTML.element("label", [HTMLAttribute("for", name)]) { HTML.text(label) }
      HTML.element(
        "select",
        [.id(name), HTMLAttribute("name", name), HTMLAttribute("form", "search")]
      ) {
        HTML.element("option", [HTMLAttribute("value", "")]) { HTML.text(all) }
        for (value, text) in options {
          HTML.element(
            "option",
            [HTMLAttribute("value", value), HTMLAttribute("selected", isOn: value == chosen)]
          ) { HTML.text(text) }
        }
      }
    }
  }

  private static func name(of kind: CodeKind) -> String {
    switch kind {
    case .iata: "With an IATA code"
    case .icao: "With an ICAO code of letters"
    case .local: "With a local code"
    }
  }
}
