import Fieldstone
import FieldstoneHTML
import Foundation

@MainActor
struct AirportView {
  let screen: AirportScreen
  let settings: AppSettings
  let notes: SiteNotes
  var wasSaved = false

  /// The page that led here, where it is one of ours.
  var origin: PageAddress?
  let now: Date
  var neighbours: [Neighbour] = []
  let countryName: @Sendable (String) -> String

  var html: HTML {
    let airport = screen.record?.airport
    return Layout(
      title: airport?.name ?? screen.deleted.map { $0.name + ", deleted" }, theme: settings.theme,
      canonical: .airport(icao: airport?.icao ?? screen.icao),
      live: LiveRequest(.airport(airport?.icao ?? screen.icao)), notes: notes
    ).page {
      HTML.trail {
        wayBack
      }
      if wasSaved { HTML.status("note good") { HTML.text("Saved.") } }
      HTML.element("article", ["id": "airport", "class": "airport"]) { article }
      if let airport {
        AirportAround(airport: airport, neighbours: neighbours, settings: settings).html
      }
    }
  }

  /// Leads to the list as it was searched, where that led here.
  private var wayBack: HTML {
    guard let origin, case .directory(let query, _) = origin, query != AirportQuery()
    else { return HTML.link("All airports", to: .directory()) }
    return HTML.link("Back to the list", to: origin)
  }

  /// What is replaced when somebody saves or deletes the airport.
  @HTMLBuilder var article: HTML {
    if let record = screen.record {
      heading(record.airport)
      if !notes.isReadOnly {
        HTML.element("div", ["class": "buttons"]) {
          HTML.link("Edit", to: .edit(icao: record.airport.icao, draft: nil), [.class("button")])
          HTML.button(
            "Delete", at: .delete(icao: record.airport.icao),
            hidden: [("revision", "\(record.revision)")])
        }
      }
      HTML.facts(nil, facts(record.airport))
    } else if let airport = screen.deleted {
      heading(airport)
      HTML.element("div", ["class": "note", "role": "status"]) {
        HTML.paragraph("\(airport.icao) was deleted.")
        if !notes.isReadOnly { HTML.button("Undo", at: .restore(icao: airport.icao)) }
      }
    } else {
      HTML.screen(screen.screen.state, retryAddress: "") {}
    }
  }

  @HTMLBuilder private func heading(_ airport: Airport) -> HTML {
    HTML.element("h1") { HTML.name(airport.name) }
    HTML.element("p", ["class": "place"]) { HTML.name(place(airport)) }
  }

  private func place(_ airport: Airport) -> String {
    [airport.city, airport.region, countryName(airport.country)].compactMap(\.self)
      .joined(separator: ", ")
  }

  private func facts(_ airport: Airport) -> [(name: String, value: HTML)] {
    let country = HTML.link(
      named: countryName(airport.country),
      to: .directory(AirportQuery(country: airport.country)))
    let tags = HTML.element("ul", ["class": "tags"]) {
      for tag in airport.tags { HTML.element("li") { HTML.name(tag) } }
    }
    let facts: [(String, HTML?)] = [
      ("ICAO code", code(airport.icao)), ("IATA code", airport.iata.map(code)),
      ("Local code", airport.localCode.map(code)), ("City", airport.city.map(HTML.name)),
      ("Region", airport.region.map(HTML.name)), ("Country", country),
      (
        "Elevation",
        airport.elevation.map { HTML.text(Measures.elevation(feet: $0, in: settings.units)) }
      ),
      (
        "Coordinates",
        HTML.text(Measures.coordinates(latitude: airport.latitude, longitude: airport.longitude))
      ),
      ("Time zone", HTML.text(airport.timeZone)),
      ("Local time", Measures.localTime(in: airport.timeZone, at: now).map(HTML.text)),
      ("Tags", airport.tags.isEmpty ? nil : tags),
    ]
    return facts.compactMap { name, value in value.map { (name, $0) } }
  }

  private func code(_ text: String) -> HTML {
    HTML.element("span", ["class": "code"]) { HTML.name(text) }
  }
}

/// What lies around an airport: a map, and the airports that are nearest.
struct AirportAround {
  let airport: Airport
  let neighbours: [Neighbour]
  let settings: AppSettings

  var html: HTML {
    HTML.element("section", ["class": "around", "aria-labelledby": "around"]) {
      HTML.element("h2", ["id": "around"]) { HTML.text("Around it") }
      picture
      neighbours.isEmpty
        ? .empty
        : HTML.element("ol", ["class": "neighbours"]) {
          for neighbour in neighbours { item(neighbour) }
        }
    }
  }

  private var picture: HTML {
    let theme = settings.theme == .system ? nil : settings.theme.rawValue
    // The airport is in the middle of it, also near a pole and near the date line.
    let area = MapArea(
      latitudes: (airport.latitude - 4)...(airport.latitude + 4),
      longitudes: (airport.longitude - 8)...(airport.longitude + 8))
    return HTML.element(
      "img",
      [
        "src": PageAddress.mapPicture(AirportQuery(), area, theme: theme).text, "width": "720",
        "height": "360", "loading": "lazy", "alt": "Map of the airports around \(airport.name)",
      ])
  }

  private func item(_ neighbour: Neighbour) -> HTML {
    HTML.element("li") {
      HTML.link(named: neighbour.airport.name, to: .airport(icao: neighbour.airport.icao))
      HTML.text(" ")
      HTML.element("span", ["class": "place"]) {
        HTML.text(Measures.distance(neighbour.kilometres, in: settings.units))
      }
    }
  }
}
