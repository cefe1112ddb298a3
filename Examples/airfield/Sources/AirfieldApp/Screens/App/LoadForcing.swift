import Fieldstone
import Foundation

/// Forces what the loads of screens come to, as an inspector does: an error, nothing, or a wait.
protocol LoadForcing: Sendable {
  /// A provider whose loads are forced under a name; nil is what a load that finds nothing comes to.
  func forcing<Parameters, Output>(
    _ provider: AnyProvider<Parameters, Output?>, as name: String
  ) -> AnyProvider<Parameters, Output?>
}

extension AirfieldModel {
  /// The airports that a query finds in an area, as dots on a map; forced as the list beside it is.
  func points(of query: AirportQuery, in area: MapArea) async throws -> [AirportPoint] {
    let provider = provider(as: DirectoryScreen.name) { _ in
      []
    } load: { [source] (query: AirportQuery) in
      try await source.points(of: query, in: area)
    }
    return try await provider.load(query, reporting: LoadEvents())
  }

  /// A provider of what a screen shows, whose loads can be forced where something forces any.
  ///
  /// - Parameters:
  ///   - name: the name that it has in common with the part of the screen that shows what it loads.
  ///   - nothing: makes what a load comes to that is forced to find nothing.
  func provider<Parameters: Sendable, Output: Sendable>(
    as name: String, nothing: @escaping @Sendable (Parameters) -> Output,
    load: @escaping @Sendable (Parameters) async throws -> Output
  ) -> AnyProvider<Parameters, Output> {
    let provider = ClosureProvider(load)
    guard let forcing else { return provider.erased() }
    let forced = forcing.forcing(provider.map { Optional($0) }.erased(), as: name)
    return ClosureProvider { (parameters: Parameters) in
      do {
        return try await forced.load(parameters, reporting: LoadEvents()) ?? nothing(parameters)
      } catch let error as URLError where error.code == .notConnectedToInternet {
        // On Linux Foundation has no words for it.
        throw FaultError.noNetwork
      }
    }.erased()
  }
}
