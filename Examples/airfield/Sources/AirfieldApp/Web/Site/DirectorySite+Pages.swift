import Fieldstone
import FieldstoneServing

extension DirectorySite {
  func directory(_ query: AirportQuery, _ asked: PageNumber) async -> SiteResponse {
    let screen = DirectoryPageScreen(model, query: query, number: asked.number)
    await screen.load()
    let view = DirectoryView(
      screen: screen, asked: asked, settings: model.settings.settings, notes: notes,
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
    guard let airport = screen.record?.airport else {
      guard screen.deleted == nil else { return SiteResponse(status: 410, page: view(screen).html) }
      let code = try? await model.source.reaching { try await $0.successor(of: icao) }
      guard let code else { return notFound }
      return .see(.airport(icao: code))
    }
    var view = view(screen)
    view.wasSaved = wasSaved
    view.origin = origin
    // Without them the page is whole all the same.
    view.neighbours =
      (try? await model.source.reaching { try await $0.neighbours(of: airport, limit: 5) }) ?? []
    return SiteResponse(page: view.html)
  }

  func view(_ screen: AirportScreen) -> AirportView {
    AirportView(
      screen: screen, settings: model.settings.settings, notes: notes, now: model.time.now,
      countryName: countryName)
  }

  func picture(_ query: AirportQuery, _ area: MapArea?, _ theme: String?) async -> SiteResponse {
    guard let points = try? await model.points(of: query, in: area ?? .world) else {
      return SiteResponse(status: 503, text: "")
    }
    // What was found is shown as large as it can be; of all airports, all the world.
    let shown = area ?? (query.isForAll ? nil : MapArea(around: points))
    let svg = await Self.drawing(
      MapPicture(points: points, area: shown, marksMiddle: area != nil, theme: theme))
    // The picture says how it looks; it loads and runs nothing.
    return SiteResponse(
      status: 200, type: "image/svg+xml; charset=utf-8", body: svg,
      headers: ["Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"])
  }

  func points(_ query: AirportQuery, _ area: MapArea) async -> SiteResponse {
    guard let points = try? await model.points(of: query, in: area) else {
      return SiteResponse(status: 503, text: "")
    }
    return SiteResponse(
      status: 200, type: "text/plain; charset=utf-8", body: await Self.lines(points))
  }

  @concurrent
  private static func drawing(_ picture: MapPicture) async -> [UInt8] {
    Array(picture.svg.utf8)
  }

  /// A line each: code, thousandths of a degree north and east, and the name.
  ///
  /// Several airports at once have no code, and their number in the place of the name.
  @concurrent
  private static func lines(_ points: [AirportPoint]) async -> [UInt8] {
    var text = ""
    text.reserveCapacity(points.count * 40)
    for point in points {
      let name =
        point.count > 1
        ? Array("\(point.count)") : point.name.map { $0.isNewline || $0 == "\t" ? " " : $0 }
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
