public import AirfieldDirectory

/// What a page wants to be told of.
public struct LiveRequest: Sendable, Equatable {
  /// What the page shows.
  public enum Page: Sendable, Equatable {
    /// The directory.
    case directory(AirportQuery)
    /// An airport.
    case airport(String)
    /// An edit that has begun.
    case edit
    /// The import of a file.
    case importing
    /// The nightly export.
    case nightly
    /// Nothing that changes but the connection itself.
    case other
  }

  /// What the page shows.
  public let page: Page

  /// Who asks, where the server has said so before.
  public let visitor: String?

  /// How many airports the page shows, where it shows a list.
  public let count: Int?

  /// Which revision of its airport the page shows, where it edits one; 0 for a new one.
  public let revision: Int?

  /// Reads the values of an address.
  init(_ values: [String: String]) {
    visitor = values["visitor"]
    count = values["count"].flatMap { Int($0) }
    revision = values["revision"].flatMap { Int($0) }
    switch values["view"] {
    case "directory": page = .directory(AirportQuery(values))
    case "airport": page = .airport(values["icao"] ?? "")
    case "edit": page = .edit
    case "import": page = .importing
    case "exports": page = .nightly
    default: page = .other
    }
  }

  /// Makes a request.
  public init(
    _ page: Page, visitor: String? = nil, count: Int? = nil, revision: Int? = nil
  ) {
    self.page = page
    self.visitor = visitor
    self.count = count
    self.revision = revision
  }

  /// The values that stand for it in an address.
  var values: [(String, String)] {
    let who =
      [
        ("visitor", visitor), ("count", count.map(String.init)),
        ("revision", revision.map(String.init)),
      ]
      .compactMap { name, value in value.map { (name, $0) } }
    switch page {
    case .directory(let query): return [("view", "directory")] + query.values + who
    case .airport(let icao): return [("view", "airport"), ("icao", icao)] + who
    case .edit: return [("view", "edit")] + who
    case .importing: return [("view", "import")] + who
    case .nightly: return [("view", "exports")] + who
    case .other: return [("view", "other")] + who
    }
  }
}
