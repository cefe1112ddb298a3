import FieldstoneCore

/// Builds models from early values, off the main actor and in order.
final class EarlyModels<Model: DataModel>: Sendable {
  private let events: LoadEvents<Model>

  /// The building under way on behalf of a report made on the main actor.
  private let building = Locked<Task<Void, Never>?>(nil)

  init(_ events: LoadEvents<Model>) {
    self.events = events
  }

  var sourceEvents: LoadEvents<Model.Source> {
    LoadEvents(
      onProgress: { self.events.progress($0) },
      onEarlyValue: { self.take($0) })
  }

  private func take(_ source: Model.Source) {
    guard MainDispatch.isOnMain else { return build(source) }
    building.withLock { building in
      building = Task { @concurrent [previous = building] in
        await previous?.value
        self.build(source)
      }
    }
  }

  private func build(_ source: Model.Source) {
    if let model = try? Model(source: source) { events.early(model) }
  }
}
