import AirfieldDirectory

/// The page of one airport.
struct AirportView {
  let airport: Airport
  let countryName: String

  var html: HTML {
    Layout(title: airport.name, canonical: .airport(icao: airport.icao)).page(
      """
      <nav class="trail" aria-label="Way back"><a href="/">All airports</a></nav>
      <article class="airport">
      <h1><bdi>\(airport.name)</bdi></h1>
      <p class="place"><bdi>\(place)</bdi></p>
      <dl>
      \(facts.map(fact))
      </dl>
      </article>
      """)
  }

  private var place: String {
    [airport.city, airport.region, countryName].compactMap(\.self).joined(separator: ", ")
  }

  private var facts: [(String, HTML)] {
    var facts: [(String, HTML)] = [("ICAO code", "<span class=\"code\">\(airport.icao)</span>")]
    if let iata = airport.iata {
      facts.append(("IATA code", "<span class=\"code\">\(iata)</span>"))
    }
    if let local = airport.localCode {
      facts.append(("Local code", "<span class=\"code\"><bdi>\(local)</bdi></span>"))
    }
    if let city = airport.city { facts.append(("City", "<bdi>\(city)</bdi>")) }
    if let region = airport.region { facts.append(("Region", "<bdi>\(region)</bdi>")) }
    let country: PageAddress = .directory(
      search: AirportSearch(countryName), page: PageNumber(1))
    facts.append(("Country", "<a href=\"\(country.text)\"><bdi>\(countryName)</bdi></a>"))
    if let feet = airport.elevation {
      facts.append(("Elevation", "\(Measures.elevation(feet: feet))"))
    }
    facts.append(
      (
        "Coordinates",
        "\(Measures.coordinates(latitude: airport.latitude, longitude: airport.longitude))"
      ))
    facts.append(("Time zone", "\(airport.timeZone)"))
    return facts
  }

  private func fact(_ name: String, _ value: HTML) -> HTML {
    "<div><dt>\(name)</dt><dd>\(value)</dd></div>\n"
  }
}
