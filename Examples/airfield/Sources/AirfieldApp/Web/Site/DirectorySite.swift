import Fieldstone
import FieldstoneHTML
import FieldstoneServing

/// The pages of a directory, whatever server carries them.
@MainActor
final class DirectorySite {
  let model: AirfieldModel
  let visitors: Visitors
  let downloads: DownloadPlaces
  let limits: RequestLimits
  let countries = CountryNames()
  let formTurns = Turns()

  /// Makes the site over what all screens share.
  init(model: AirfieldModel, limits: RequestLimits = RequestLimits()) {
    self.model = model
    self.limits = limits
    visitors = Visitors(limits: limits, time: model.time)
    downloads = DownloadPlaces(limit: limits.downloads)
  }

  /// Answers a request whose origin was checked.
  func answer(_ request: SiteRequest) async -> SiteAnswer {
    await model.settings.load()
    guard let address = PageAddress(path: request.path, query: request.query) else {
      return .response(notFound)
    }
    switch request.method {
    case "GET": return await show(address, request)
    case "HEAD":
      if case .live = address { return .response(notAllowed(address)) }
      return await show(address, request)
    case "POST": return .response(await take(address, request))
    default: return .response(notAllowed(address))
    }
  }

  private func show(_ address: PageAddress, _ request: SiteRequest) async -> SiteAnswer {
    guard !isRefused(address) else { return .response(readOnly) }
    return switch address {
    case .export(let query): await export(query)
    case .rejects: await rejects()
    case .live(let request): live(request)
    default: .response(await page(address, request))
    }
  }

  private func page(_ address: PageAddress, _ request: SiteRequest) async -> SiteResponse {
    switch address {
    case .asset(let asset): SiteResponse(status: 200, type: asset.type, body: asset.bytes)
    case .directory(let query, let page): await directory(query, page)
    case .airport(let icao):
      await airport(icao, wasSaved: request.query == "saved", from: PageAddress(referrer: request))
    case .edit(let icao, let draft): await edit(icao, draft: draft)
    case .settings: settingsPage(note: nil)
    case .faults: faultsPage(note: nil)
    case .importing: await importPage()
    case .nightly: await nightlyPage()
    case .mapPicture(let query, let area, let theme): await picture(query, area, theme)
    case .mapPoints(let query, let area): await points(query, area)
    case .export, .rejects, .live, .actions, .delete, .restore: notAllowed(address)
    }
  }

  private func take(_ address: PageAddress, _ request: SiteRequest) async -> SiteResponse {
    switch address {
    case .edit, .delete, .restore, .settings, .faults, .importing, .nightly, .actions: break
    default: return notAllowed(address)
    }
    guard !isRefused(address) else { return readOnly }
    guard !request.isEncoded else { return Self.encoded }
    guard let values = request.form else {
      return SiteResponse(status: 415, text: "Post a form.")
    }
    switch address {
    case .edit(let icao, _): return await takeEdit(of: icao, values)
    case .delete(let icao): return await delete(icao, values)
    case .restore(let icao): return await restore(icao)
    case .settings: return await takeSettings(values)
    case .faults: return await takeFaults(values)
    case .importing: return await takeImport(values)
    case .nightly: return await takeNightly(values)
    default: return await act(values)
    }
  }

  /// The answer to a form that has to be unpacked first.
  static let encoded = SiteResponse(
    status: 415, text: "Post a form without Content-Encoding.", headers: ["Accept-Encoding": ""])

  var countryName: @Sendable (String) -> String {
    { [countries] in countries.name(of: $0) }
  }

  var theme: AppSettings.Theme { model.settings.settings.theme }

  var notes: SiteNotes { SiteNotes(model) }

  /// The page for what can't be shown.
  ///
  /// - Parameter retry: where trying again leads.
  func problem(
    _ status: Int, _ title: String, _ text: String, retry: PageAddress? = nil,
    headers: [String: String] = [:]
  ) -> SiteResponse {
    let page = Layout(title: title, theme: theme, notes: notes).page {
      HTML.element("div", ["class": "problem"]) {
        HTML.element("h1") { HTML.text(title) }
        HTML.paragraph(text)
        if let retry { HTML.element("p") { HTML.link("Try again", to: retry) } }
        HTML.element("p") { HTML.link("See all airports", to: .directory()) }
      }
    }
    return SiteResponse(status: status, page: page, headers: headers)
  }

  var notFound: SiteResponse {
    problem(404, "Not found", "There is no airport and no page at this address.")
  }

  /// Whether an address is for writing, and nothing can be written.
  private func isRefused(_ address: PageAddress) -> Bool {
    guard model.source.isReadOnly else { return false }
    return switch address {
    case .edit, .delete, .restore, .importing, .rejects, .nightly: true
    default: false
    }
  }

  private var readOnly: SiteResponse {
    // Where the database is concerns nobody who reads.
    let isAsked =
      if case .readOnly(_, isAsked: true) = model.source.directory.readOnly { true } else { false }
    return problem(
      403, "Nothing can be changed here",
      isAsked
        ? "The database is served to be read. Start airfield without --read-only to change airports."
        : "The database can’t be written. To change airports, copy it to where it can be, and serve "
          + "the copy.")
  }

  func unreachable(_ error: (any Error)?, retry: PageAddress) -> SiteResponse {
    problem(
      503, "The directory can’t be read",
      (error as? any DescribedError)?.message ?? "Something is wrong with its database.",
      retry: retry)
  }

  var full: SiteResponse {
    SiteResponse(
      status: 503, text: "Too many visitors at once; try again in a minute.",
      headers: ["Retry-After": "60"])
  }

  func notAllowed(_ address: PageAddress) -> SiteResponse {
    let methods =
      switch address {
      case .edit, .settings, .faults, .importing, .nightly: "GET, HEAD, POST"
      case .actions, .delete, .restore: "POST"
      case .live: "GET"
      default: "GET, HEAD"
      }
    return problem(
      405, "Not possible here", "This page does not take that.", headers: ["Allow": methods])
  }
}

// Apart from the class: within it, its methods would be isolated as those of the protocol are.
extension DirectorySite: Site {}
