import FieldstoneHTML

/// What a page was sent last, and what it needs to be sent to be as it should.
@MainActor
struct SentPage {
  private var parts: [String: HTML] = [:]
  private var key: String?
  private var rows: [Airport] = []

  /// The patches that lead from what was sent to these fragments; they count as sent.
  mutating func patches(for fragments: [Fragment]) -> [Patch] {
    var patches: [Patch] = []
    for fragment in fragments {
      switch fragment {
      case .part(let id, let html):
        guard parts.updateValue(html, forKey: id) != html else { continue }
        if id == Self.results {
          key = nil
          rows = []
        }
        patches.append(Patch(op: .put, id: id, html: html.markup))
      case .issues(let id, let html, let isInvalid):
        guard parts.updateValue(html, forKey: id) != html else { continue }
        patches.append(Patch(op: .issues, id: id, html: html.markup, flag: isInvalid))
      case .rows(let key, let airports, let table, let frame):
        patches += patchRows(key, airports, table, frame)
      }
    }
    return patches
  }

  /// The element that a table of airports stands in.
  static let results = "results"

  private mutating func patchRows(
    _ key: String, _ airports: [Airport], _ table: AirportTable, _ frame: (HTML) -> HTML
  ) -> [Patch] {
    defer {
      self.key = key
      rows = airports
      parts[Self.results] = nil
    }
    let isGrown =
      airports.count >= rows.count && zip(rows, airports).allSatisfy { $0.icao == $1.icao }
    guard key == self.key, isGrown else {
      // What leads on from the list went with the frame.
      parts["more"] = nil
      return [Patch(op: .put, id: Self.results, html: frame(table.html).markup)]
    }
    var patches: [Patch] = []
    for (old, new) in zip(rows, airports) where old != new {
      patches.append(
        Patch(op: .swap, id: AirportTable.identifier(new), html: table.row(new).markup))
    }
    if airports.count > rows.count {
      let more = HTML.joined(airports[rows.count...].map(table.row))
      patches.append(Patch(op: .append, id: "rows", html: more.markup))
    }
    return patches
  }
}

/// A part of a page that is shown, as it should be now.
enum Fragment {
  case part(id: String, HTML)
  case issues(id: String, HTML, isInvalid: Bool)
  /// A table of airports that grows; the frame is made anew only where its key is another one.
  case rows(key: String, [Airport], AirportTable, frame: @MainActor (HTML) -> HTML)
}

/// A change of a page that is shown, for the script to make.
struct Patch: Sendable, Equatable, Encodable {
  enum Operation: String, Encodable {
    /// Says who the visitor is; the text is the identifier.
    case hello
    /// Replaces what is in the element.
    case put
    /// Replaces the element itself.
    case swap
    /// Adds at the end of what is in the element.
    case append
    /// Replaces what is wrong with a control; the flag says whether something is.
    case issues
  }

  var op: Operation
  var id = ""
  var html = ""

  /// What else there is to say.
  var flag: Bool?
}
