import AirfieldDirectory
import AirfieldScreens
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
      HTML.element("div", [.class("heading")]) {
        HTML.element("h1") {
          HTML.element("span", [.id("heading")]) {
            DirectoryTexts.heading(query, countryName: countryName)
          }
        }
        HTML.element("p", [.id("count"), .class("count"), HTMLAttribute("role", "status")]) {
          if let page = screen.page { DirectoryTexts.count(query, total: page.total) }
        }
      }
      FilterForm(
        query: query, countries: screen.countries,
        export: DirectoryTexts.export(query, total: screen.page?.total ?? 0)
      ).html
      note
      // The list has no end for those who go through it by keys, so the map stands before it.
      HTML.element("div", [.class("split")]) {
        MapView(query: query, total: screen.page?.total ?? 0, theme: settings.theme).html
        HTML.element(
          "div",
          [.id("results"), .class("results"), HTMLAttribute("data-page", "\(asked.number)")]
        ) {
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

  private var list: HTML {
    guard let page = screen.page else { return .empty }
    return HTML.joined([
      AirportTable(airports: page.airports, query: query, countryName: countryName).html,
      page.last > 1 ? PageLinks(query: query, page: page).html : .empty,
    ])
  }

  /// Says so where the page shown is not the one that the address asks for.
  private var note: HTML {
    if let malformed = asked.malformed {
      return HTML.element("p", [.class("note"), HTMLAttribute("role", "status")]) {
        HTML.text("“")
        HTML.name(String(malformed.prefix(20)))
        HTML.text("” is no page. This is the first.")
      }
    }
    guard let page = screen.page, asked.number > page.last else { return .empty }
    return HTML.element("p", [.class("note"), HTMLAttribute("role", "status")]) {
      HTML.text("There is no page \(GroupedNumber.text(asked.number)). This is the last.")
    }
  }
}
