import AirfieldDirectory
import FieldstoneHTML

/// Airports as a table, which the style sheet shows as cards on narrow screens.
struct AirportTable {
  let airports: [Airport]
  let countryName: @Sendable (String) -> String

  // The roles say again what the elements are, because browsers forget that cards are a table.
  var html: HTML {
    HTML.element("table", [HTMLAttribute("role", "table")]) {
      HTML.element("caption", [.class("unseen")]) { HTML.text("Airports") }
      HTML.element("thead", [HTMLAttribute("role", "rowgroup")]) {
        HTML.element("tr", [HTMLAttribute("role", "row")]) {
          head("Airport")
          head("City")
          head("Country")
          head("ICAO", of: "Code of the International Civil Aviation Organization")
          head("IATA", of: "Code of the International Air Transport Association")
        }
      }
      HTML.element("tbody", [.id("rows"), HTMLAttribute("role", "rowgroup")]) {
        for airport in airports { row(airport) }
      }
    }
  }

  func row(_ airport: Airport) -> HTML {
    HTML.element("tr", [.id(Self.identifier(airport)), HTMLAttribute("role", "row")]) {
      HTML.element(
        "th",
        [HTMLAttribute("scope", "row"), HTMLAttribute("role", "rowheader"), .class("name")]
      ) {
        HTML.element("a", [.address("href", PageAddress.airport(icao: airport.icao).text)]) {
          HTML.name(airport.name)
        }
      }
      cell("city", airport.city.map(HTML.name) ?? .empty)
      cell("country", HTML.name(countryName(airport.country)))
      cell("code icao", HTML.text(airport.icao))
      cell("code iata", HTML.text(airport.iata ?? ""))
    }
  }

  static func identifier(_ airport: Airport) -> String { "a-" + airport.icao }

  private func head(_ title: String, of abbreviation: String? = nil) -> HTML {
    HTML.element(
      "th",
      [
        HTMLAttribute("scope", "col"), HTMLAttribute("role", "columnheader"),
        HTMLAttribute("class", abbreviation == nil ? nil : "code"),
      ]
    ) {
      if let abbreviation {
        HTML.element("abbr", [HTMLAttribute("title", abbreviation)]) { HTML.text(title) }
      } else {
        HTML.text(title)
      }
    }
  }

  private func cell(_ name: String, _ content: HTML) -> HTML {
    HTML.element("td", [HTMLAttribute("role", "cell"), .class(name)]) { content }
  }
}
