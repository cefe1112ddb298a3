import AirfieldDirectory
import AirfieldScreens
import FieldstoneHTML

/// What lies around an airport: a map, and the airports that are nearest.
struct AirportAround {
  let airport: Airport
  let neighbours: [Neighbour]
  let settings: AppSettings

  var html: HTML {
    HTML.element("section", [.class("around"), HTMLAttribute("aria-labelledby", "around")]) {
      HTML.element("h2", [.id("around")]) { HTML.text("Around it") }
      picture
      neighbours.isEmpty
        ? .empty
        : HTML.element("ol", [.class("neighbours")]) {
          for neighbour in neighbours { item(neighbour) }
        }
    }
  }

  private var picture: HTML {
    let theme = settings.theme == .system ? nil : settings.theme.rawValue
    // The airport is in the middle of it, also near a pole and near the date line.
    let high = max(0, min(4, 90 - abs(airport.latitude)))
    let wide = max(0, min(8, 180 - abs(airport.longitude)))
    let area = MapArea(
      latitudes: (airport.latitude - high)...(airport.latitude + high),
      longitudes: (airport.longitude - wide)...(airport.longitude + wide))
    return HTML.element(
      "img",
      [
        .address("src", PageAddress.mapPicture(AirportQuery(), area, theme: theme).text),
        HTMLAttribute("width", "720"), HTMLAttribute("height", "360"),
        HTMLAttribute("loading", "lazy"),
        HTMLAttribute("alt", "Map of the airports around \(airport.name)"),
      ])
  }

  private func item(_ neighbour: Neighbour) -> HTML {
    HTML.element("li") {
      HTML.element(
        "a", [.address("href", PageAddress.airport(icao: neighbour.airport.icao).text)]
      ) { HTML.name(neighbour.airport.name) }
      HTML.text(" ")
      HTML.element("span", [.class("place")]) {
        HTML.text(Measures.distance(neighbour.kilometres, in: settings.units))
      }
    }
  }
}
