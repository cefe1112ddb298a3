public import AirfieldDirectory
import Fieldstone

/// The dots of a search, for a map.
@MainActor
public final class MapScreen {
  private let model: AirfieldModel

  /// Makes the screen.
  public init(_ model: AirfieldModel) {
    self.model = model
  }

  /// The airports that a query finds, as dots.
  public func points(of query: AirportQuery) async throws -> [AirportPoint] {
    try await model.source.points(of: query)
  }
}
