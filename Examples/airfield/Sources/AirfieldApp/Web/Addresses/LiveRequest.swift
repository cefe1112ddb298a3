import FieldstoneServing

/// What a page wants to be told of.
struct LiveRequest: Sendable, Equatable {
  enum Page: Sendable, Equatable {
    case directory(AirportQuery)
    case airport(String)
    case edit
    case importing
    case nightly
    /// Nothing that changes but the connection itself.
    case other
  }

  let page: Page

  /// Who asks, where the server has said so before.
  var visitor: String?

  /// How many airports the page shows, where it shows a list.
  var count: Int?

  /// Which revision of its airport the page shows, where it edits one; 0 for a new one.
  var revision: Int?

  init(_ page: Page, visitor: String? = nil, count: Int? = nil, revision: Int? = nil) {
    self.page = page
    self.visitor = visitor
    self.count = count
    self.revision = revision
  }

  init(_ values: [String: String]) {
    visitor = values["visitor"]
    count = values["count"].flatMap { Int($0) }
    revision = values["revision"].flatMap { Int($0) }
    page =
      switch values["view"] {
      case "directory": .directory(AirportQuery(values))
      case "airport": .airport(values["icao"] ?? "")
      case "edit": .edit
      case "import": .importing
      case "exports": .nightly
      default: .other
      }
  }

  var values: [(String, String)] {
    let shown: [(String, String)] =
      switch page {
      case .directory(let query): [("view", "directory")] + query.values
      case .airport(let icao): [("view", "airport"), ("icao", icao)]
      case .edit: [("view", "edit")]
      case .importing: [("view", "import")]
      case .nightly: [("view", "exports")]
      case .other: [("view", "other")]
      }
    return shown
      + FormValues.given([
        ("visitor", visitor), ("count", count.map(String.init)),
        ("revision", revision.map(String.init)),
      ])
  }
}
