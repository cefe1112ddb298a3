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
      page = try await model.source.page(
        number, of: query, size: model.settings.settings.pageSize)
    } catch {
      self.error = error
    }
  }

  /// Which of its views the screen shows.
  public var state: ScreenState {
    let content = page.map { $0.total == 0 ? ScreenKnowledge.Content.empty : .some } ?? .unknown
    return ScreenState(ScreenKnowledge(content: content, error: error))
  }
}
