import Fieldstone
import FieldstoneHTML

/// The page that lists airports, as it is without scripts; with them, parts of it are replaced.
@MainActor
struct DirectoryView {
  let screen: DirectoryPageScreen
  let asked: PageNumber
  let settings: AppSettings
  let notes: SiteNotes
  let countryName: @Sendable (String) -> String

  var html: HTML {
    Layout(
      title: DirectoryTexts.title(query, page: screen.page?.number ?? 1), theme: settings.theme,
      query: query,
      canonical: .directory(query, page: PageNumber(screen.page?.number ?? 1)),
      live: LiveRequest(.directory(query)), notes: notes
    ).page {
      HTML.element("div", ["class": "heading"]) {
        HTML.element("h1") {
          HTML.element("span", ["id": "heading"]) {
            DirectoryTexts.heading(query, countryName: countryName)
          }
        }
        HTML.element("p", ["id": "count", "class": "count", "role": "status"]) {
          if let page = screen.page { DirectoryTexts.count(query, total: page.total) }
        }
      }
      FilterForm(
        query: query, countries: countries,
        export: DirectoryTexts.export(query, total: screen.page?.total ?? 0)
      ).html
      note
      // The list has no end for those who go through it by keys, so the map stands before it.
      HTML.element("div", ["class": "split"]) {
        MapView(
          query: query, total: screen.page?.total ?? 0,
          revision: MapRevision(change: screen.page?.change ?? 0), theme: settings.theme
        ).html
        HTML.element("div", ["id": "results", "class": "results", "data-page": "\(asked.number)"]) {
          // Read out is what the screen says of the list, and not the rows.
          HTML.screen(
            screen.state, retryAddress: PageAddress.directory(query, page: asked).text,
            texts: DirectoryTexts.screen(query)
          ) {}
          DirectoryTexts.beginning(query, screen.state)
          if case .primary = screen.state { list }
        }
      }
    }
  }

  private var query: AirportQuery { screen.query }

  /// Those to choose from with their counts, and the one that is chosen in any case.
  private var countries: [(String, String)] {
    let all = screen.countries.map { ($0.code, "\($0.name) (\(GroupedNumber.text($0.count)))") }
    guard let code = query.country, !all.contains(where: { $0.0 == code }) else { return all }
    return all + [(code, countryName(code))]
  }

  @HTMLBuilder private var list: HTML {
    if let page = screen.page {
      AirportTable(airports: page.airports, query: query, countryName: countryName).html
      if page.last > 1 { PageLinks(query: query, page: page).html }
    }
  }

  /// Says so where the page shown is not the one that the address asks for.
  @HTMLBuilder private var note: HTML {
    if let malformed = asked.malformed {
      HTML.status("note") {
        HTML.text("“")
        HTML.name(String(malformed.prefix(20)))
        HTML.text("” is no page. This is the first.")
      }
    } else if let page = screen.page, asked.number > page.last {
      HTML.status("note") {
        HTML.text("There is no page \(GroupedNumber.text(asked.number)). This is the last.")
      }
    }
  }
}

/// The filters beside the search field; they belong to its form.
struct FilterForm {
  let query: AirportQuery
  let countries: [(String, String)]

  /// What leads to the file of what is listed.
  let export: HTML

  var html: HTML {
    HTML.element("div", ["class": "filters"]) {
      select("country", "Country", "All countries", countries, query.country)
      select(
        "kind", "Codes", "All airports",
        CodeKind.allCases.map { ($0.rawValue, "With " + DirectoryTexts.code(of: $0)) },
        query.kind?.rawValue)
      select(
        "sort", "Sorted by", "Best match",
        AirportOrder.Column.allCases.flatMap { column in
          [false, true].map { AirportOrder(column, isDescending: $0) }
        }.map { ($0.text, DirectoryTexts.name(of: $0)) },
        query.order?.text)
      HTML.element(
        "button", ["type": "submit", "form": "search", "class": "without-script quiet"]
      ) { HTML.text("Filter") }
      HTML.element("p", ["id": "export", "class": "export"]) { export }
    }
  }

  private func select(
    _ name: String, _ label: String, _ all: String, _ options: [(String, String)],
    _ chosen: String?
  ) -> HTML {
    HTML.element("div", ["class": "filter"]) {
      HTML.element("label", ["for": name]) { HTML.text(label) }
      HTML.element("select", ["id": name, "name": name, "form": "search"]) {
        HTML.element("option", ["value": ""]) { HTML.text(all) }
        for (value, text) in options {
          HTML.element(
            "option",
            [HTMLAttribute("value", value), HTMLAttribute("selected", isOn: value == chosen)]
          ) { HTML.text(text) }
        }
      }
    }
  }
}

struct PageLinks {
  let query: AirportQuery
  let page: DirectoryPage

  var html: HTML {
    HTML.element("nav", ["class": "pages", "aria-label": "Pages of the list"]) {
      step("Previous", rel: "prev", to: page.number - 1)
      HTML.element("ol") {
        for number in numbers { item(number) }
      }
      HTML.paragraph(
        "Page \(GroupedNumber.text(page.number)) of \(GroupedNumber.text(page.last))", "place")
      step("Next", rel: "next", to: page.number + 1)
    }
  }

  /// The first and the last page, and those around this one; nil where some are left out.
  private var numbers: [Int?] {
    let near = max(1, page.number - 1)...min(page.last, page.number + 1)
    let wanted = Set([1, page.last] + near).sorted()
    var numbers: [Int?] = []
    for number in wanted {
      if case let before?? = numbers.last, number > before + 1 {
        // A gap of one page is no wider than the page's own number.
        numbers.append(number == before + 2 ? before + 1 : nil)
      }
      numbers.append(number)
    }
    return numbers
  }

  private func item(_ number: Int?) -> HTML {
    guard let number else {
      return HTML.element("li", ["class": "gap", "aria-hidden": "true"]) { HTML.text("…") }
    }
    return HTML.element("li") {
      HTML.link(
        GroupedNumber.text(number), to: address(number),
        number == page.number ? [HTMLAttribute("aria-current", "page")] : [])
    }
  }

  private func step(_ label: String, rel: String, to number: Int) -> HTML {
    guard (1...page.last).contains(number) else {
      return HTML.element("span", ["class": "step \(rel)", "aria-hidden": "true"]) {
        HTML.text(label)
      }
    }
    return HTML.link(
      label, to: address(number), [.class("step \(rel)"), HTMLAttribute("rel", rel)])
  }

  private func address(_ number: Int) -> PageAddress {
    .directory(query, page: PageNumber(number))
  }
}

/// The sentences of the directory.
enum DirectoryTexts {
  /// What is listed, apart from what was searched for.
  static func heading(_ query: AirportQuery, countryName: (String) -> String) -> HTML {
    let kind = "Airports" + (query.kind.map { " with " + code(of: $0) } ?? "")
    guard let country = query.country else {
      return HTML.text(kind + (query.kind == nil ? " of the world" : ""))
    }
    return HTML.joined([HTML.text(kind + ", "), HTML.name(countryName(country))])
  }

  static func code(of kind: CodeKind) -> String {
    switch kind {
    case .iata: "an IATA code"
    case .icao: "an ICAO code of letters"
    case .local: "a local code"
    }
  }

  /// The title of the list, without that of the whole.
  static func title(_ query: AirportQuery, page: Int = 1) -> String? {
    let part = page > 1 ? "page \(page)" : nil
    guard let search = query.search else { return part.map { "Airports, " + $0 } }
    return "“\(search.text)”" + (part.map { ", " + $0 } ?? "")
  }

  @HTMLBuilder static func count(_ query: AirportQuery, total: Int) -> HTML {
    HTML.text(GroupedNumber.airports(total))
    if let search = query.search {
      HTML.text(" for “")
      HTML.name(search.text)
      HTML.text("”")
    }
    if query.isForAll {
      HTML.text(", by " + sentencePart(query.order))
    } else {
      HTML.text(" · ")
      HTML.link("Show all", to: .directory())
    }
  }

  private static func sentencePart(_ order: AirportOrder?) -> String {
    let text = name(of: order ?? AirportOrder(.name))
    // Codes keep their capitals.
    return text.hasPrefix("I") ? text : text.prefix(1).lowercased() + text.dropFirst()
  }

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
    return HTML.element("p", ["id": "beginning", "class": "screen-note"]) {
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
      : "No airport matches. Each word must begin a word of the code, name, city, region, country or "
        + "tags. Try fewer or shorter words, or other filters."
    return texts
  }
}
