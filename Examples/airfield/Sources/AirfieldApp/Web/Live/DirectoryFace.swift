import Fieldstone
import FieldstoneHTML
import Foundation

/// The directory as a live page: the count, the list or another view in its place, and the map.
@MainActor
final class DirectoryFace {
  let screen: DirectoryScreen
  private let settings: SettingsScreen
  private let countryName: @Sendable (String) -> String

  /// Whether anything took the place of what the page showed when it came.
  private var hasShown = false

  init(
    _ screen: DirectoryScreen, settings: SettingsScreen,
    countryName: @escaping @Sendable (String) -> String
  ) {
    self.screen = screen
    self.settings = settings
    self.countryName = countryName
  }

  func fragments() -> [Fragment] {
    let state = screen.screen.state
    let query = screen.query
    // What the page shows already stays as long as the screen is blank.
    if [.initial, .blank].contains(state.view) { return [] }
    if case .loading = state, !hasShown { return [.part(id: "count", count(state))] }
    hasShown = true
    var fragments: [Fragment] = [
      .part(id: "count", count(state)),
      .part(id: "heading", DirectoryTexts.heading(query, countryName: countryName)),
      .part(id: "title", Layout.title(DirectoryTexts.title(query))),
    ]
    guard case .primary(let overlay) = state, let list = screen.list,
      let results = screen.results
    else {
      let view = HTML.screen(
        state, retryAddress: PageAddress.directory(query).text,
        texts: DirectoryTexts.screen(query)
      ) {}
      return fragments + [
        .part(id: SentPage.results, HTML.joined([view, DirectoryTexts.beginning(query, state)])),
        .part(id: "map-source", picture(0)),
        .part(id: "export", .empty),
      ]
    }
    // A refresh under way says so beside the count, and the table stays as it is.
    var told = ScreenState.primary(.none)
    var failure = ""
    if case .failed(let error) = overlay {
      told = state
      failure = error.localizedDescription
    }
    let table = AirportTable(
      airports: Array(list.items), query: results.query, countryName: countryName)
    // Told before the list it belongs to: what comes with a new list is not read out besides.
    let count = shown(list, results)
    fragments.append(.part(id: "shown", count))
    fragments.append(
      .rows(key: "\(ObjectIdentifier(list)) \(failure)", table.airports, table) { table in
        HTML.joined([
          // Read out is what the screen says of the list, and not the rows.
          HTML.screen(
            told, retryAddress: PageAddress.directory(query).text,
            texts: DirectoryTexts.screen(query)
          ) {},
          table,
          HTML.element("p", ["id": "shown", "class": "shown", "role": "status"]) {
            count
          },
          HTML.element("div", ["id": "more", "class": "more"]),
        ])
      })
    fragments.append(.part(id: "more", more(list)))
    fragments.append(.part(id: "map-source", picture(results.total)))
    fragments.append(
      .part(id: "export", DirectoryTexts.export(results.query, total: results.total)))
    return fragments
  }

  private func count(_ state: ScreenState) -> HTML {
    if state.isBusy { return HTML.text("Searching…") }
    guard let results = screen.results else { return .empty }
    return DirectoryTexts.count(results.query, total: results.total)
  }

  private func picture(_ total: Int) -> HTML {
    MapView(
      query: screen.results?.query ?? screen.query, total: total,
      revision: MapRevision(change: screen.results?.change ?? 0, edits: screen.edits),
      theme: settings.settings.theme
    ).picture
  }

  /// How much of the list is there; read out as it grows.
  private func shown(_ list: DirectoryScreen.AirportList, _ results: AirportResults) -> HTML {
    let count = GroupedNumber.text(list.items.count)
    if case .end = list.appendState {
      return list.items.count > 1 ? HTML.text("That is all: \(count) airports.") : .empty
    }
    return HTML.text("\(count) of \(GroupedNumber.text(results.total)) airports shown")
  }

  /// What stands below that: what is on its way, what failed, or a button for more.
  private func more(_ list: DirectoryScreen.AirportList) -> HTML {
    switch list.appendState {
    case .loading: return HTML.paragraph("Loading more…", "screen-note")
    case .failed(let error):
      return HTML.joined([
        HTML.element("p", ["class": "screen-error", "role": "alert"]) {
          HTML.element("strong") { HTML.text("The next airports could not be loaded.") }
          HTML.text(" " + error.localizedDescription)
        },
        button("Try again"),
      ])
    case .end: return .empty
    case .idle:
      // The count tells the script that this is another one, and may be in sight already.
      return HTML.element("div", ["class": "idle", "data-count": "\(list.items.count)"]) {
        button("Show more")
      }
    }
  }

  private func button(_ label: String) -> HTML {
    HTML.element("button", ["type": "button", "data-do": "more", "class": "quiet"]) {
      HTML.text(label)
    }
  }
}
