import AirfieldDirectory

/// The dots of a search as an SVG picture, without a frame, a coast or a border.
enum MapPicture {
  static func svg(_ points: [AirportPoint], theme: String?) -> String {
    let size = max(0.6, min(3, 60 / Double(max(1, points.count)).squareRoot()))
    var path = ""
    path.reserveCapacity(points.count * 12)
    for point in points {
      // Tenths of a unit are a fifth of a degree: less than a dot is wide.
      path += "M\(tenths((point.longitude + 180) * 2)) \(tenths((90 - point.latitude) * 2))h0"
    }
    var lines = ""
    for longitude in stride(from: 60, to: 720, by: 60) { lines += "M\(longitude) 0v360" }
    for latitude in stride(from: 60, to: 360, by: 60) { lines += "M0 \(latitude)h720" }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 360">\(style(theme))\
      <rect width="720" height="360" fill="var(--sea)"/>\
      <path d="\(lines)" stroke="var(--line)" stroke-width=".5" fill="none"/>\
      <path d="\(path)" stroke="var(--dot)" stroke-width="\(size)" stroke-linecap="round" \
      stroke-opacity=".7" fill="none"/></svg>
      """
  }

  private static func style(_ theme: String?) -> String {
    let light = "--sea:#f1f4f7;--line:#dde3ea;--dot:#0b5a9e"
    let dark = "--sea:#181d24;--line:#2a313b;--dot:#86bdf7"
    return switch theme {
    case "dark": "<style>svg{\(dark)}</style>"
    case "light": "<style>svg{\(light)}</style>"
    default: "<style>svg{\(light)}@media(prefers-color-scheme:dark){svg{\(dark)}}</style>"
    }
  }

  private static func tenths(_ number: Double) -> String {
    let tenths = Int(exactly: (number * 10).rounded()) ?? 0
    return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
