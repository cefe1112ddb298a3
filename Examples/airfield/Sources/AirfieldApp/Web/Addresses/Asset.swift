/// A file that the pages are shown with, by its address.
enum Asset: String, Sendable {
  case style = "/airfield.css"
  case script = "/airfield.js"
  case map = "/map.js"
  case coastlines = "/coastlines.txt"
  case icon = "/icon.svg"

  var type: String {
    switch self {
    case .style: "text/css; charset=utf-8"
    case .script, .map: "text/javascript; charset=utf-8"
    case .coastlines: "text/plain; charset=utf-8"
    case .icon: "image/svg+xml"
    }
  }

  var bytes: [UInt8] {
    switch self {
    case .style: PackageResources.airfield_css
    case .script: PackageResources.airfield_js
    case .map: PackageResources.map_js
    case .coastlines: Coastlines.bytes
    case .icon: PackageResources.icon_svg
    }
  }
}
