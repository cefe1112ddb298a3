import FieldstoneServing

/// What can be asked for, and its address.
enum PageAddress: Sendable, Equatable {
  case directory(AirportQuery = AirportQuery(), page: PageNumber = PageNumber(1))
  case airport(icao: String)
  case edit(icao: String?, draft: String?)
  case delete(icao: String)
  case restore(icao: String)
  case settings
  case faults
  case importing
  case rejects
  case nightly

  /// The dots of a query, as a picture: of an area, whose middle is marked, or of all of them.
  case mapPicture(AirportQuery, MapArea?, theme: String?)
  case mapPoints(AirportQuery, MapArea)
  case export(AirportQuery)
  case live(LiveRequest)
  case actions
  case asset(Asset)

  /// The meaning of an address, or nil where there is nothing.
  init?(path: String, query: String) {
    let values = FormValues(query).byName
    if let asset = Asset(rawValue: path) {
      self = .asset(asset)
      return
    }
    switch path {
    case "/", "": self = .directory(AirportQuery(values), page: PageNumber(values["page"]))
    case "/new": self = .edit(icao: nil, draft: values["draft"])
    case "/settings": self = .settings
    case "/faults": self = .faults
    case "/import": self = .importing
    case "/import/rejects.csv": self = .rejects
    case "/exports": self = .nightly
    case "/map.svg":
      self = .mapPicture(
        AirportQuery(values), MapArea(values["area"]), theme: values["theme"])
    case "/map.txt": self = .mapPoints(AirportQuery(values), MapArea(values["area"]) ?? .world)
    case "/export.csv": self = .export(AirportQuery(values))
    case "/live": self = .live(LiveRequest(values))
    case "/actions": self = .actions
    default:
      let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
      guard path.hasPrefix("/"), (2...3).contains(parts.count), parts[0] == "airports",
        !parts[1].isEmpty
      else { return nil }
      let icao = PercentCoding.decode(parts[1])
      // The database could take the text to end there.
      guard !icao.contains("\0") else { return nil }
      switch parts.count > 2 ? parts[2] : nil {
      case nil: self = .airport(icao: icao)
      case "edit": self = .edit(icao: icao, draft: values["draft"])
      case "delete": self = .delete(icao: icao)
      case "restore": self = .restore(icao: icao)
      default: return nil
      }
    }
  }

  /// The page of ours that a request comes from; nil where it is none, or does not say.
  init?(referrer request: SiteRequest) {
    guard let referrer = request.headers["referer"], let host = request.headers["host"],
      referrer.lowercased().hasPrefix("http://" + host.lowercased() + "/")
    else { return nil }
    let parts = referrer.dropFirst("http://".count + host.count)
      .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(path: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : "")
  }

  var text: String {
    switch self {
    case .directory(let query, let page):
      var values = query.values
      if page.number > 1 { values.append(("page", "\(page.number)")) }
      return FormValues.address("/", values)
    case .airport(let icao): return "/airports/" + PercentCoding.encode(icao)
    case .edit(let icao, let draft):
      let path = icao.map { "/airports/" + PercentCoding.encode($0) + "/edit" } ?? "/new"
      return FormValues.address(path, draft.map { [("draft", $0)] } ?? [])
    case .delete(let icao): return "/airports/" + PercentCoding.encode(icao) + "/delete"
    case .restore(let icao): return "/airports/" + PercentCoding.encode(icao) + "/restore"
    case .settings: return "/settings"
    case .faults: return "/faults"
    case .importing: return "/import"
    case .rejects: return "/import/rejects.csv"
    case .nightly: return "/exports"
    case .mapPicture(let query, let area, let theme):
      let others = FormValues.given([("area", area?.text), ("theme", theme)])
      return FormValues.address("/map.svg", query.unordered.values + others)
    case .mapPoints(let query, let area):
      let part = area == .world ? [] : [("area", area.text)]
      return FormValues.address("/map.txt", query.unordered.values + part)
    case .export(let query): return FormValues.address("/export.csv", query.unordered.values)
    case .live(let request): return FormValues.address("/live", request.values)
    case .actions: return "/actions"
    case .asset(let asset): return asset.rawValue
    }
  }
}

extension AirportQuery {
  init(_ values: [String: String]) {
    let country = values["country"].flatMap { $0.isEmpty ? nil : $0 }
    self.init(
      search: values["q"].flatMap(AirportSearch.init), country: country,
      kind: values["kind"].flatMap(CodeKind.init),
      order: values["sort"].flatMap(AirportOrder.init))
  }

  var values: [(String, String)] {
    FormValues.given([
      ("q", search?.text), ("country", country), ("kind", kind?.rawValue), ("sort", order?.text),
    ])
  }
}

extension MapArea {
  /// The area that an address names by its west, south, east and north; nil where it names none.
  init?(_ text: String?) {
    let bounds = (text ?? "").split(separator: ",", omittingEmptySubsequences: false)
      .compactMap { Double($0) }
    guard bounds.count == 4, bounds.allSatisfy(\.isFinite), bounds[0] <= bounds[2],
      bounds[1] <= bounds[3]
    else { return nil }
    // A little beyond the poles, as the map around an airport there; and around the world once at most.
    self.init(
      latitudes: (bounds[1]...bounds[3]).clamped(to: -94...94),
      longitudes: bounds[2] - bounds[0] < 360
        ? (bounds[0]...bounds[2]).clamped(to: -540...540) : Self.world.longitudes)
  }

  fileprivate var text: String {
    [longitudes.lowerBound, latitudes.lowerBound, longitudes.upperBound, latitudes.upperBound]
      .map { "\($0)" }.joined(separator: ",")
  }
}

struct PageNumber: Sendable, Equatable {
  /// The number to show, from 1.
  let number: Int

  /// What was asked for where it is no number of a page.
  let malformed: String?

  init(_ number: Int) {
    self.number = max(1, number)
    malformed = nil
  }

  /// Reads what stands in an address: digits alone, and not zero; anything else gives page 1.
  init(_ text: String?) {
    let digits = text ?? "1"
    let isNumber = digits.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    if isNumber, let number = Int(digits.prefix(18)), number > 0 {
      self.number = number
      malformed = nil
    } else {
      number = 1
      malformed = digits
    }
  }
}
