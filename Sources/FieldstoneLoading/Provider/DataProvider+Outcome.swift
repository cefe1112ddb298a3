import FieldstoneCore

extension DataProvider {
  /// Loads and tells how that ended.
  @concurrent
  func outcome(
    of parameters: Parameters, reporting events: LoadEvents<Output>
  ) async -> Outcome<Output> {
    await Outcome(running: { try await load(parameters, reporting: events) })
  }
}
