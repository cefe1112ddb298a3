import AirfieldDirectory
import Fieldstone
import FieldstoneHTML

/// The sentences of the directory.
enum DirectoryTexts {
  /// What is listed, apart from what was searched for.
  static func heading(_ query: AirportQuery, countryName: (String) -> String) -> HTML {
    let kind =
      switch query.kind {
      case .iata: "Airports with an IATA code"
      case .icao: "Airports with an ICAO code of letters"
      case .local: "Airports with a local code"
      case nil: "Airports"
      }
    guard let country = query.country else {
      return HTML.text(kind + (query.kind == nil ? " of the world" : ""))
    }
    return HTML.joined([HTML.text(kind + ", "), HTML.name(countryName(country))])
  }

  /// The title of the list, without that of the whole.
  static func title(_ query: AirportQuery, page: Int = 1) -> String? {
    let part = page > 1 ? "page \(page)" : nil
    guard let search = query.search else { return part.map { "Airports, " + $0 } }
    return "“\(search.text)”" + (part.map { ", " + $0 } ?? "")
  }

  /// How many airports were found.
  static func count(_ query: AirportQuery, total: Int) -> HTML {
    let noun = total == 1 ? "airport" : "airports"
    return HTML.joined([
      HTML.text("\(GroupedNumber.text(total)) \(noun)"),
      query.search.map { search in
        HTML.joined([HTML.text(" for “"), HTML.name(search.text), HTML.text("”")])
      } ?? .empty,
      query.isForAll
        ? HTML.text(", by " + sentencePart(query.order))
        : HTML.joined([
          HTML.text(" · "),
          HTML.link("Show all", to: .directory(AirportQuery(), page: PageNumber(1))),
        ]),
    ])
  }

  private static func sentencePart(_ order: AirportOrder?) -> String {
    let text = name(of: order ?? AirportOrder(.name))
    // Codes keep their capitals.
    return text.hasPrefix("I") ? text : text.prefix(1).lowercased() + text.dropFirst()
  }

  /// What an order goes by.
  static func name(of order: AirportOrder) -> String {
    let name =
      switch order.column {
      case .name: "Name"
      case .city: "City"
      case .country: "Country"
      case .icao: "ICAO code"
      case .iata: "IATA code"
      }
    return name + (order.isDescending ? ", last first" : "")
  }

  /// What leads to the file of the airports that were found; nothing where there are none.
  static func export(_ query: AirportQuery, total: Int) -> HTML {
    total > 0 ? HTML.link("Download as CSV", to: .export(query)) : .empty
  }

  /// What leads on from a directory without airports; nothing in any other state.
  static func beginning(_ query: AirportQuery, _ state: ScreenState) -> HTML {
    guard case .noResults = state, query.isForAll else { return .empty }
    return HTML.element("p", [.id("beginning"), .class("screen-note")]) {
      HTML.link("Import a file of airports", to: .importing)
      HTML.text(", or ")
      HTML.link("add one by hand", to: .edit(icao: nil, draft: nil))
      HTML.text(".")
    }
  }

  /// What the views of the screen say.
  static func screen(_ query: AirportQuery) -> ScreenTexts {
    var texts = ScreenTexts.current
    texts.loading = "Loading airports…"
    texts.failure = "The airports could not be loaded."
    texts.noResults =
      query.isForAll
      ? "There are no airports yet."
      : "No airport matches. Each word must begin a word of the code, name, city, country or tags. "
        + "Try fewer or shorter words, or other filters."
    return texts
  }
}
