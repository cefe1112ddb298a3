import Fieldstone
import Observation

/// One numbered page of the directory as a screen, for links that lead to a page.
@MainActor
@Observable
final class DirectoryPageScreen {
  @ObservationIgnored let query: AirportQuery
  @ObservationIgnored let number: Int
  @ObservationIgnored private(set) var countries: [CountryCount] = []
  private(set) var page: DirectoryPage?
  private(set) var error: (any Error)?

  @ObservationIgnored private let model: AirfieldModel

  init(_ model: AirfieldModel, query: AirportQuery, number: Int) {
    self.model = model
    self.query = query
    self.number = number
  }

  func load() async {
    do {
      countries = (try? await model.countriesWithAirports()) ?? []
      page = try await provider.load(query, reporting: LoadEvents())
    } catch {
      self.error = error
    }
  }

  /// Is forced as the same directory is where it is one list.
  private var provider: AnyProvider<AirportQuery, DirectoryPage> {
    let size = model.settings.settings.pageSize
    return model.provider(as: DirectoryScreen.name) { _ in
      .none
    } load: { [source = model.source, number] query in
      try await source.page(number, of: query, size: size)
    }
  }

  /// Which of its views the screen shows.
  var state: ScreenState {
    let content = page.map { $0.total == 0 ? ScreenKnowledge.Content.empty : .some } ?? .unknown
    return ScreenState(ScreenKnowledge(content: content, error: error))
  }
}
