public import AirfieldDirectory
public import Fieldstone
public import Observation

/// One numbered page of the directory as a screen, for links that lead to a page.
@MainActor
@Observable
public final class DirectoryPageScreen {
  /// What is asked for.
  @ObservationIgnored public let query: AirportQuery

  /// The number asked for.
  @ObservationIgnored public let number: Int

  /// The countries to choose from.
  @ObservationIgnored public private(set) var countries: [CountryCount] = []

  /// The page, once it was loaded.
  public private(set) var page: DirectoryPage?

  /// Why it was not loaded.
  public private(set) var error: (any Error)?

  @ObservationIgnored private let model: AirfieldModel

  /// Makes the screen, which loads nothing yet.
  public init(_ model: AirfieldModel, query: AirportQuery, number: Int) {
    self.model = model
    self.query = query
    self.number = number
  }

  /// Loads the page.
  public func load() async {
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
      DirectoryPage(number: 1, last: 1, total: 0, airports: [])
    } load: { [source = model.source, number] query in
      try await source.page(number, of: query, size: size)
    }
  }

  /// Which of its views the screen shows.
  public var state: ScreenState {
    let content = page.map { $0.total == 0 ? ScreenKnowledge.Content.empty : .some } ?? .unknown
    return ScreenState(ScreenKnowledge(content: content, error: error))
  }
}
