public import AirfieldDirectory

/// What can be asked for, and its address.
public enum PageAddress: Sendable, Equatable {
  /// A page of the directory, or of what a search finds.
  case directory(search: AirportSearch?, page: PageNumber)

  /// The page of one airport.
  case airport(icao: String)

  /// A file that pages are shown with.
  case asset(Asset)

  /// The meaning of an address, or nil where there is nothing.
  public init?(path: String, query: String) {
    if path == "/" || path.isEmpty {
      let values = Self.values(query)
      self = .directory(
        search: values["q"].flatMap(AirportSearch.init), page: PageNumber(values["page"]))
      return
    }
    if let asset = Asset.allCases.first(where: { $0.path == path }) {
      self = .asset(asset)
      return
    }
    let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard path.hasPrefix("/"), parts.count == 2, parts[0] == "airports", !parts[1].isEmpty else {
      return nil
    }
    self = .airport(icao: PercentCoding.decode(parts[1]))
  }

  /// The address, as a link has it.
  public var text: String {
    switch self {
    case .directory(let search, let page):
      let values = [
        search.map { "q=" + PercentCoding.encode($0.text) },
        page.number > 1 ? "page=\(page.number)" : nil,
      ].compactMap(\.self)
      return values.isEmpty ? "/" : "/?" + values.joined(separator: "&")
    case .airport(let icao): return "/airports/" + PercentCoding.encode(icao)
    case .asset(let asset): return asset.path
    }
  }

  /// The values of a query; of a name that comes twice, the first.
  private static func values(_ query: String) -> [String: String] {
    var values: [String: String] = [:]
    for pair in query.split(separator: "&").prefix(16) {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = PercentCoding.decode(parts[0], plusIsBlank: true)
      guard values[name] == nil else { continue }
      values[name] = parts.count > 1 ? PercentCoding.decode(parts[1], plusIsBlank: true) : ""
    }
    return values
  }
}
