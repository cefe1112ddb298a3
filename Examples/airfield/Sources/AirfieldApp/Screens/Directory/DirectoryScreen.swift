import Fieldstone
import Observation

/// The directory as a screen: search as you type, filters, an endless list, and what state it is in.
///
/// Each search ends the one before; what comes late is dropped. What was found stays while the next
/// search is under way and when it fails. Airports that are saved elsewhere change in place.
@MainActor
@Observable
final class DirectoryScreen {
  /// How long the typing has to pause before a search begins.
  static let debounce = Duration.milliseconds(120)

  /// The name of what is searched for, for those who look at it or force it from outside.
  static let name = "Directory"

  /// The name of the lists of what is found, all of them.
  ///
  /// Each name that is forced is remembered, and there is no end to what people search for.
  private static let listName = "Airports"

  private(set) var text: String

  /// What is asked for, or about to be.
  private(set) var query: AirportQuery {
    didSet { asked.value = query }
  }

  /// How many airports have changed in place; reads are tracked.
  private(set) var edits = 0

  /// Which of its views the screen shows.
  @ObservationIgnored let screen: ScreenModel

  /// The query as the screen's model reads it, which must not hold us.
  @ObservationIgnored private let asked: Locked<AirportQuery>

  /// How many airports are loaded at once of a query that is shown already.
  @ObservationIgnored private let kept: Locked<(query: AirportQuery, count: Int)>

  @ObservationIgnored private let integrator: Integrator<AirportQuery, DirectoryAnswer>
  @ObservationIgnored private let model: AirfieldModel
  @ObservationIgnored private var registrations: [Registration] = []
  @ObservationIgnored private var lists: (answer: DirectoryAnswer, list: AirportList)?

  typealias AirportList = PaginatedList<Airport, AirportCursor>

  /// Makes the screen, which loads when it appears.
  ///
  /// - Parameter count: how many airports of that are loaded at once, where it is more than a page.
  init(
    _ model: AirfieldModel, query: AirportQuery = AirportQuery(), count: Int = 0,
    debounce: Duration = DirectoryScreen.debounce, timing: LoadingTiming = .calm
  ) {
    self.model = model
    self.query = query
    let asked = Locked(query)
    self.asked = asked
    text = query.search?.text ?? ""
    let size = model.settings.settings.pageSize
    let kept = Locked((query: query, count: count))
    self.kept = kept
    integrator = Integrator(
      provider: model.provider(as: Self.name) { query in
        DirectoryAnswer(.none(of: query))
      } load: { [source = model.source, kept] (query: AirportQuery) in
        let shown = kept.value
        let limit = max(size, shown.query == query ? shown.count : 0)
        return DirectoryAnswer(try await source.results(of: query, limit: limit))
      },
      policy: .latest(debounce: debounce), time: model.time)
    screen = ScreenModel(
      integrator, parameters: asked.value, timing: timing, time: model.time
    ) { $0.results.total == 0 }
    model.parts.invokeEach { $0(.screen(screen), Self.name) }
    registrations = [
      model.changes.add { [weak self] in self?.take($0) },
      model.reloads.add { [weak self] in self?.reload() },
    ]
  }

  func appear() { screen.appear() }

  /// What was found last; nil before anything was.
  var results: AirportResults? { integrator.phase.value?.results }

  /// The airports that were found, as far as they were loaded; nil before anything was found.
  var list: AirportList? {
    guard let answer = integrator.phase.value else { return nil }
    if let lists, lists.answer === answer { return lists.list }
    let list = makeList(answer.results)
    lists = (answer, list)
    return list
  }

  /// Takes what was typed, and searches once the typing pauses.
  func type(_ text: String) {
    guard text != self.text else { return }
    self.text = text
    change { $0.search = AirportSearch(text) }
  }

  /// Narrows the search down to a country and to a kind of code; nil takes all.
  func filter(country: String?, kind: CodeKind?) {
    change {
      $0.country = country
      $0.kind = kind
    }
  }

  /// Lists what is found in another order; nil for the one that nobody has asked for.
  func sort(by order: AirportOrder?) { change { $0.order = order } }

  func retry() { screen.retry() }

  /// Loads the airports after those that are there; where that has failed, again.
  @discardableResult
  func loadMore() -> ListCall? { list?.loadMore() }

  private func change(_ change: (inout AirportQuery) -> Void) {
    var query = query
    change(&query)
    guard query != self.query else { return }
    self.query = query
    screen.refresh()
  }

  private func makeList(_ results: AirportResults) -> AirportList {
    let query = results.query
    let size = model.settings.settings.pageSize
    let list = AirportList(
      provider: model.provider(as: Self.listName) { _ in
        ItemPage([], next: nil)
      } load: { [source = model.source] (request: PageRequest<AirportCursor>) in
        let slice = try await source.airports(of: query, after: request.cursor, limit: size)
        return ItemPage(slice.airports, next: slice.next)
      })
    let next = results.next.map { [PageRequest(cursor: $0)] } ?? []
    list.restore(PaginatedListSnapshot(pages: [.init(results.airports)], next: next))
    model.parts.invokeEach { $0(.list(list), Self.listName) }
    return list
  }

  /// Searches again because any airport may be another one.
  private func reload() {
    // A list that has grown does not become short under the eyes of the person.
    if let results, let list { kept.value = (results.query, list.items.count) }
    screen.refresh()
  }

  /// Takes an airport that somebody has saved or deleted.
  private func take(_ change: AirportChange) {
    // A search that is under way may have read what was there before.
    guard let airport = change.record?.airport, change.before == airport.icao,
      !integrator.phase.isLoading
    else { return reload() }
    list?.update(airport.icao) { $0 = airport }
    edits += 1
  }
}

/// What a search has given, told apart from every other search.
final class DirectoryAnswer: Sendable {
  let results: AirportResults

  init(_ results: AirportResults) {
    self.results = results
  }
}
