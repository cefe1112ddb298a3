import AirfieldDirectory
import AirfieldScreens
import Fieldstone
import FieldstoneHTML
import Foundation

/// The page of one airport.
@MainActor
struct AirportView {
  let screen: AirportScreen
  let settings: AppSettings
  let notes: SiteNotes
  var wasSaved = false

  /// The page that led here, where it is one of ours.
  var origin: PageAddress?

  /// What time it is.
  let now: Date

  /// The airports nearest to this one.
  var neighbours: [Neighbour] = []
  let countryName: @Sendable (String) -> String

  var html: HTML {
    let airport = screen.record?.airport
    return Layout(
      title: airport?.name ?? screen.deleted.map { $0.name + ", deleted" }, theme: settings.theme,
      canonical: .airport(icao: airport?.icao ?? screen.icao),
      live: LiveRequest(.airport(airport?.icao ?? screen.icao)), notes: notes
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
      if let airport {
        AirportAround(airport: airport, neighbours: neighbours, settings: settings).html
      }
    }
  }

  /// Leads to the list as it was searched, where that led here.
  private var wayBack: HTML {
    guard let origin, case .directory(let query, _) = origin, query != AirportQuery()
    else {
      return HTML.link("All airports", to: .directory(AirportQuery(), page: PageNumber(1)))
    }
    return HTML.link("Back to the list", to: origin)
  }

  /// What is replaced when somebody saves or deletes the airport.
  var article: HTML {
    guard let record = screen.record else {
      if let airport = screen.deleted { return deleted(airport) }
      return HTML.screen(screen.screen.state, retryAddress: "") {}
    }
    let airport = record.airport
    return HTML.joined([
      HTML.element("h1") { HTML.name(airport.name) },
      HTML.element("p", [.class("place")]) { HTML.name(place(airport)) },
      notes.isReadOnly
        ? .empty
        : HTML.element("div", [.class("buttons")]) {
          HTML.link("Edit", to: .edit(icao: airport.icao, draft: nil), [.class("button")])
          HTML.button(
            "Delete", at: .delete(icao: airport.icao), hidden: [("revision", "\(record.revision)")])
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

  /// That the airport was deleted, and what brings it back.
  private func deleted(_ airport: Airport) -> HTML {
    HTML.joined([
      HTML.element("h1") { HTML.name(airport.name) },
      HTML.element("p", [.class("place")]) { HTML.name(place(airport)) },
      HTML.element("div", [.class("note"), HTMLAttribute("role", "status")]) {
        HTML.paragraph("\(airport.icao) was deleted.")
        if !notes.isReadOnly { HTML.button("Undo", at: .restore(icao: airport.icao)) }
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
    if let time = Measures.localTime(in: airport.timeZone, at: now) {
      facts.append(("Local time", HTML.text(time)))
    }
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
