public import AirfieldDirectory

/// The pages of a directory, whatever server carries them.
public struct DirectorySite: Sendable {
  private let directory: AirportDirectory

  /// Makes the site of a directory.
  public init(directory: AirportDirectory) {
    self.directory = directory
  }

  /// Answers a request; path and query are as the client sent them, still percent-encoded.
  public func respond(method: String, path: String, query: String = "") async -> SiteResponse {
    guard method == "GET" || method == "HEAD" else {
      return SiteResponse(
        status: 405,
        page: ProblemView(
          title: "Not possible here", text: "These pages can be read and nothing else."
        ).html,
        headers: ["Allow": "GET, HEAD"])
    }
    guard let address = PageAddress(path: path, query: query) else { return notFound }
    do {
      return try await respond(address)
    } catch {
      return SiteResponse(
        status: 500,
        page: ProblemView(
          title: "The directory can’t be read", text: "Something is wrong with its database."
        ).html)
    }
  }

  private func respond(_ address: PageAddress) async throws -> SiteResponse {
    switch address {
    case .asset(let asset):
      return SiteResponse(status: 200, type: asset.type, body: asset.bytes)
    case .directory(let search, let asked):
      let page = try await directory.page(asked.number, matching: search)
      let view = DirectoryView(
        search: search, asked: asked, page: page,
        countryName: { [directory] in directory.countryName($0) })
      return SiteResponse(page: view.html)
    case .airport(let icao):
      guard let airport = try await directory.airport(icao: icao) else { return notFound }
      let view = AirportView(
        airport: airport, countryName: directory.countryName(airport.country))
      return SiteResponse(page: view.html)
    }
  }

  private var notFound: SiteResponse {
    SiteResponse(
      status: 404,
      page: ProblemView(
        title: "Not found", text: "There is no airport and no page at this address."
      ).html)
  }
}
