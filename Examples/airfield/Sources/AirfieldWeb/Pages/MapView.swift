import AirfieldDirectory
import AirfieldScreens
import FieldstoneHTML

/// The map beside the list: a picture, which the script makes one that can be moved and zoomed.
struct MapView {
  let query: AirportQuery
  let total: Int
  let theme: AppSettings.Theme

  var html: HTML {
    HTML.element("figure", [.id("map"), .class("map"), HTMLAttribute("aria-label", "Map")]) {
      HTML.element("div", [.id("map-source")]) { picture }
      HTML.element("figcaption") {
        HTML.text("Each dot is an airport of the list, or several. Coastlines: Natural Earth.")
      }
    }
  }

  /// What is replaced when the search is another one.
  var picture: HTML {
    let set = theme == .system ? nil : theme.rawValue
    let airports = total == 1 ? "1 airport" : "\(GroupedNumber.text(total)) airports"
    return HTML.element(
      "img",
      [
        .address("src", PageAddress.mapPicture(query, nil, theme: set).text),
        HTMLAttribute("data-coasts", PageAddress.asset(.coastlines).text),
        HTMLAttribute("data-points", PageAddress.mapPoints(query, .world).text),
        HTMLAttribute("width", "720"), HTMLAttribute("height", "360"),
        HTMLAttribute("loading", "lazy"),
        HTMLAttribute(
          "alt", "World map with \(airports); the list has them all."),
      ])
  }
}
