import FieldstoneHTML

/// Dots on the coastlines of the world as an SVG picture, half a degree a unit.
struct MapPicture {
  let points: [AirportPoint]

  /// The part of the world that is shown; nil for all.
  var area: MapArea?

  /// Whether the middle of it is marked.
  var marksMiddle = false

  let theme: String?

  var svg: String {
    let box = Box(area, isCentred: marksMiddle)
    // Where less is shown, dots and lines are smaller by as much.
    let scale = box.width / 720
    let size = scale * max(0.6, min(8, 90 / Double(max(1, points.count)).squareRoot()))
    var dots = ""
    dots.reserveCapacity(points.count * 12)
    for point in points { dots += "M\(Self.place(point.longitude, point.latitude, scale))h0" }
    var lines = ""
    for longitude in stride(from: -360, to: 1_080, by: 60) { lines += "M\(longitude) 0v360" }
    for latitude in stride(from: 60, to: 360, by: 60) {
      lines += "M\(box.x) \(latitude)h\(box.width)"
    }
    let mark =
      marksMiddle
      ? """
      <circle cx="\(box.middle.x)" cy="\(box.middle.y)" r="\(scale * 16)" fill="none" stroke="var(--dot)" \
      stroke-width="\(scale * 4)"/>
      """ : ""
    return """
      <svg xmlns="http://www.w3.org/2000/svg" \
      viewBox="\(box.x) \(box.y) \(box.width) \(box.height)">\(Self.style(theme))\
      <rect x="\(box.x)" width="\(box.width)" height="360" fill="var(--sea)"/>\
      <path d="\(lines)" stroke="var(--line)" stroke-width="\(scale * 0.5)" fill="none"/>\
      <path d="\(coasts(scale))" stroke="var(--coast)" stroke-width="\(scale * 1.5)" fill="none"/>\
      <path d="\(dots)" stroke="var(--dot)" stroke-width="\(size)" stroke-linecap="round" \
      stroke-opacity=".7" fill="none"/>\(mark)</svg>
      """
  }

  /// The lines in the area and around it, as finely as they are seen.
  private func coasts(_ scale: Double) -> String {
    let around = area?.wider
    let shifts = area?.parts.map(\.shift) ?? [0]
    var path = ""
    for (line, shift) in Coastlines.lines.flatMap({ line in shifts.map { (line, $0) } }) {
      var last: (longitude: Double, latitude: Double)?
      for var place in line {
        place.longitude += shift
        guard around?.contains(place.longitude, place.latitude) ?? true else {
          last = nil
          continue
        }
        if let last {
          let way = abs(place.longitude - last.longitude) + abs(place.latitude - last.latitude)
          guard way >= scale else { continue }
        }
        path += last == nil ? "M" : "L"
        path += Self.place(place.longitude, place.latitude, scale)
        last = place
      }
    }
    return path
  }

  /// What is shown, in units of the picture: twice as wide as it is high.
  private struct Box {
    var (x, y, width, height) = (0.0, 0.0, 720.0, 360.0)

    /// The middle of the area, which is that of the box unless that is kept within the world.
    var middle = (x: 360.0, y: 180.0)

    init(_ area: MapArea?, isCentred: Bool) {
      guard let area else { return }
      width = min(720, max(1, area.width * 2, area.height * 4))
      height = width / 2
      middle = (
        area.longitudes.lowerBound + area.longitudes.upperBound + 360,
        180 - area.latitudes.lowerBound - area.latitudes.upperBound
      )
      (x, y) = (middle.x - width / 2, middle.y - height / 2)
      guard !isCentred else { return }
      (x, y) = (min(720 - width, max(0, x)), min(360 - height, max(0, y)))
    }
  }

  private static func style(_ theme: String?) -> String {
    let light = "--sea:#f1f4f7;--line:#e0e6ec;--coast:#a9b6c4;--dot:#0b5a9e"
    let dark = "--sea:#181d24;--line:#262d37;--coast:#4d5a6b;--dot:#86bdf7"
    return switch theme {
    case "dark": "<style>svg{\(dark)}</style>"
    case "light": "<style>svg{\(light)}</style>"
    default: "<style>svg{\(light)}@media(prefers-color-scheme:dark){svg{\(dark)}}</style>"
    }
  }

  /// A place to a tenth of a unit, or to a hundredth where little of the world is shown.
  private static func place(_ longitude: Double, _ latitude: Double, _ scale: Double) -> String {
    let steps = scale < 0.1 ? 100.0 : 10
    return [(longitude + 180) * 2, (90 - latitude) * 2].map { number in
      let text = "\((number * steps).rounded() / steps)"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }.joined(separator: " ")
  }
}

extension MapArea {
  /// The area around places, with room; nil where they are none, or all over the world.
  init?(around points: [AirportPoint]) {
    let (latitudes, longitudes) = (points.map(\.latitude), points.map(\.longitude))
    guard let south = latitudes.min(), let north = latitudes.max(),
      let west = longitudes.min(), let east = longitudes.max()
    else { return nil }
    // At least so much that something of the coast is seen.
    let (high, wide) = (max(7, (north - south) * 0.6), max(15, (east - west) * 0.6))
    guard wide < 180 else { return nil }
    let middle = ((south + north) / 2, (west + east) / 2)
    self.init(
      latitudes: (middle.0 - high)...(middle.0 + high),
      longitudes: (middle.1 - wide)...(middle.1 + wide))
  }

  fileprivate var wider: MapArea {
    let margin = max(height, width)
    return MapArea(
      latitudes: (latitudes.lowerBound - margin)...(latitudes.upperBound + margin),
      longitudes: (longitudes.lowerBound - margin)...(longitudes.upperBound + margin))
  }

  fileprivate func contains(_ longitude: Double, _ latitude: Double) -> Bool {
    longitudes.contains(longitude) && latitudes.contains(latitude)
  }
}

/// Which state of the airports a map shows; a page loads its map again once it is told another one.
struct MapRevision {
  /// The directory's change that the search has read.
  let change: Int

  /// How many airports have changed in place on this connection.
  ///
  /// They count from zero once a page connects again: a sum of both would repeat itself.
  var edits = 0

  var text: String { "\(change).\(edits)" }
}

/// The map beside the list: a picture, which the script makes one that can be moved and zoomed.
struct MapView {
  let query: AirportQuery
  let total: Int

  /// Another one once an airport is another one.
  let revision: MapRevision
  let theme: AppSettings.Theme

  var html: HTML {
    HTML.element("figure", ["id": "map", "class": "map", "aria-label": "Map"]) {
      HTML.element("div", ["id": "map-source"]) { picture }
      HTML.element("figcaption") {
        HTML.text("Each dot is an airport of the list, or several. Coastlines: Natural Earth.")
      }
    }
  }

  /// What is replaced when the search is another one.
  var picture: HTML {
    let set = theme == .system ? nil : theme.rawValue
    return HTML.element(
      "img",
      [
        "src": PageAddress.mapPicture(query, nil, theme: set).text,
        "data-coasts": PageAddress.asset(.coastlines).text,
        "data-points": PageAddress.mapPoints(query, .world).text, "data-revision": revision.text,
        "width": "720", "height": "360", "loading": "lazy",
        "alt": "World map with \(GroupedNumber.airports(total)); the list has them all.",
      ])
  }
}
