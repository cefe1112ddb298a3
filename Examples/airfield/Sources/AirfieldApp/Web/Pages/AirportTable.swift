import FieldstoneHTML

/// Airports as a table, which the style sheet shows as cards on narrow screens.
struct AirportTable {
  let airports: [Airport]

  /// What they were found by: its order is shown, and can be changed, at the heads of the columns.
  let query: AirportQuery
  let countryName: @Sendable (String) -> String

  // The roles say again what the elements are, because browsers forget that cards are a table.
  var html: HTML {
    HTML.element("table", ["role": "table"]) {
      HTML.element("caption", ["class": "unseen"]) { HTML.text("Airports") }
      HTML.element("thead", ["role": "rowgroup"]) {
        HTML.element("tr", ["role": "row"]) {
          head(.name, "Airport")
          head(.city, "City")
          head(.country, "Country")
          head(.icao, "ICAO", of: "Code of the International Civil Aviation Organization")
          head(.iata, "IATA", of: "Code of the International Air Transport Association")
        }
      }
      HTML.element("tbody", ["id": "rows", "role": "rowgroup"]) {
        for airport in airports { row(airport) }
      }
    }
  }

  func row(_ airport: Airport) -> HTML {
    HTML.element("tr", ["id": Self.identifier(airport), "role": "row"]) {
      HTML.element("th", ["scope": "row", "role": "rowheader", "class": "name"]) {
        HTML.link(named: airport.name, to: .airport(icao: airport.icao))
      }
      cell("city", airport.city.map(HTML.narrowName) ?? .empty)
      cell("country", HTML.name(countryName(airport.country)))
      cell("code icao", HTML.text(airport.icao))
      cell("code iata", HTML.text(airport.iata ?? ""))
    }
  }

  static func identifier(_ airport: Airport) -> String { "a-" + airport.icao }

  private func head(
    _ column: AirportOrder.Column, _ title: String, of abbreviation: String? = nil
  ) -> HTML {
    let order = query.order.flatMap { $0.column == column ? $0 : nil }
    // Again, it turns the order round.
    var turned = query
    turned.order = AirportOrder(column, isDescending: order.map { !$0.isDescending } ?? false)
    return HTML.element(
      "th",
      [
        "scope": "col", "role": "columnheader", "class": abbreviation == nil ? nil : "code",
        "aria-sort": order.map { $0.isDescending ? "descending" : "ascending" },
      ]
    ) {
      HTML.element(
        "a",
        ["href": PageAddress.directory(turned).text, "title": abbreviation]
      ) { HTML.text(title) }
    }
  }

  private func cell(_ name: String, _ content: HTML) -> HTML {
    HTML.element("td", ["role": "cell", "class": name]) { content }
  }
}
