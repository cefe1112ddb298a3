import AirfieldDirectory
import AirfieldScreens
import Fieldstone
import FieldstoneHTML

/// The page of one airport.
@MainActor
struct AirportView {
  let screen: AirportScreen
  let settings: AppSettings
  let hasFaults: Bool
  let wasSaved: Bool

  /// The page that led here, where it is one of ours.
  var origin: PageAddress?
  let countryName: @Sendable (String) -> String

  var html: HTML {
    let airport = screen.record?.airport
    return Layout(
      title: airport?.name, theme: settings.theme,
      canonical: .airport(icao: airport?.icao ?? screen.icao),
      live: LiveRequest(.airport(airport?.icao ?? screen.icao)), hasFaults: hasFaults
    ).page {
      HTML.element("nav", [.class("trail"), HTMLAttribute("aria-label", "Way back")]) {
        wayBack
      }
      if wasSaved {
        HTML.element("p", [.class("note good"), HTMLAttribute("role", "status")]) {
          HTML.text("Saved.")
        }
      }
      HTML.element("article", [.id("airport"), .class("airport")]) { article }
    }
  }

  /// Leads to the list as it was searched, where that led here.
  private var wayBack: HTML {
    guard let origin, case .directory(let query, _) = origin, !query.isForAll else {
      return HTML.link("All airports", to: .directory(AirportQuery(), page: PageNumber(1)))
    }
    return HTML.link("Back to the list", to: origin)
  }

  /// What is replaced when somebody saves the airport.
  var article: HTML {
    guard let airport = screen.record?.airport else {
      return HTML.screen(screen.screen.state, retryAddress: "") {}
    }
    return HTML.joined([
      HTML.element("h1") { HTML.name(airport.name) },
      HTML.element("p", [.class("place")]) { HTML.name(place(airport)) },
      HTML.element("p") {
        HTML.link("Edit", to: .edit(icao: airport.icao, draft: nil), [.class("button")])
      },
      HTML.element("dl") {
        for (name, value) in facts(airport) {
          HTML.element("div") {
            HTML.element("dt") { HTML.text(name) }
            HTML.element("dd") { value }
          }
        }
      },
    ])
  }

  private func place(_ airport: Airport) -> String {
    [airport.city, airport.region, countryName(airport.country)].compactMap(\.self)
      .joined(separator: ", ")
  }

  private func facts(_ airport: Airport) -> [(String, HTML)] {
    var facts: [(String, HTML)] = [("ICAO code", code(airport.icao))]
    if let iata = airport.iata { facts.append(("IATA code", code(iata))) }
    if let local = airport.localCode { facts.append(("Local code", code(local))) }
    if let city = airport.city { facts.append(("City", HTML.name(city))) }
    if let region = airport.region { facts.append(("Region", HTML.name(region))) }
    let country = PageAddress.directory(
      AirportQuery(country: airport.country), page: PageNumber(1))
    facts.append(
      (
        "Country",
        HTML.element("a", [.address("href", country.text)]) {
          HTML.name(countryName(airport.country))
        }
      ))
    if let feet = airport.elevation {
      facts.append(
        ("Elevation", HTML.text(Measures.elevation(feet: feet, in: settings.units))))
    }
    facts.append(
      (
        "Coordinates",
        HTML.text(
          Measures.coordinates(latitude: airport.latitude, longitude: airport.longitude))
      ))
    facts.append(("Time zone", HTML.text(airport.timeZone)))
    if !airport.tags.isEmpty {
      facts.append(
        (
          "Tags",
          HTML.element("ul", [.class("tags")]) {
            for tag in airport.tags { HTML.element("li") { HTML.name(tag) } }
          }
        ))
    }
    return facts
  }

  private func code(_ text: String) -> HTML {
    HTML.element("span", [.class("code")]) { HTML.name(text) }
  }
}
