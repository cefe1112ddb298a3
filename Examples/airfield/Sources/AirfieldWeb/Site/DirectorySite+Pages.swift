import AirfieldDirectory
import AirfieldScreens
import Fieldstone

extension DirectorySite {
  func directory(_ query: AirportQuery, _ asked: PageNumber) async -> SiteResponse {
    let screen = DirectoryPageScreen(model, query: query, number: asked.number)
    await screen.load()
    let view = DirectoryView(
      screen: screen, asked: asked, settings: model.settings.settings, hasFaults: hasFaults,
      countryName: countryName)
    return SiteResponse(status: screen.error == nil ? 200 : 503, page: view.html)
  }

  func airport(
    _ icao: String, wasSaved: Bool, from origin: PageAddress?
  ) async -> SiteResponse {
    let screen = AirportScreen(model, icao: icao)
    await screen.load()
    guard screen.hasLoaded else {
      return unreachable(screen.error, retry: .airport(icao: icao))
    }
    guard screen.record != nil else { return notFound }
    let view = AirportView(
      screen: screen, settings: model.settings.settings, hasFaults: hasFaults, wasSaved: wasSaved,
      origin: origin, countryName: countryName)
    return SiteResponse(page: view.html)
  }

  func picture(_ query: AirportQuery, _ theme: String?) async -> SiteResponse {
    guard let points = try? await MapScreen(model).points(of: query) else {
      return SiteResponse(status: 503, text: "")
    }
    let svg = await Self.drawing(points, theme)
    // The picture says how it looks; it loads and runs nothing.
    return SiteResponse(
      status: 200, type: "image/svg+xml; charset=utf-8", body: svg,
      headers: ["Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"])
  }

  func points(_ query: AirportQuery) async -> SiteResponse {
    guard let points = try? await MapScreen(model).points(of: query) else {
      return SiteResponse(status: 503, text: "")
    }
    return SiteResponse(
      status: 200, type: "text/plain; charset=utf-8", body: await Self.lines(points))
  }

  @concurrent
  private static func drawing(_ points: [AirportPoint], _ theme: String?) async -> [UInt8] {
    Array(MapPicture.svg(points, theme: theme).utf8)
  }

  /// A line each: code, thousandths of a degree north and east, and the name.
  @concurrent
  private static func lines(_ points: [AirportPoint]) async -> [UInt8] {
    var text = ""
    text.reserveCapacity(points.count * 40)
    for point in points {
      let name = point.name.map { $0.isNewline || $0 == "\t" ? " " : $0 }
      text += "\(point.icao)\t\(thousandths(point.latitude))\t\(thousandths(point.longitude))\t"
      text += String(name)
      text += "\n"
    }
    return Array(text.utf8)
  }

  private nonisolated static func thousandths(_ number: Double) -> Int {
    Int(exactly: (number * 1_000).rounded()) ?? 0
  }
}
