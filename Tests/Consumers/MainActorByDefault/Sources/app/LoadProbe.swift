import Fieldstone

/// A provider as an app declares it; it loads where its work ran.
struct LoadProbe: DataProvider {
  @concurrent
  func load(_ name: String, reporting events: LoadEvents<Bool>) async throws -> Bool {
    events.progress(.indeterminate)
    return MainQueue.isCurrent
  }
}

/// A model as an app declares it; it knows where it was built.
struct PlaceModel: DataModel {
  let loadedOnMain: Bool
  let builtOnMain: Bool

  init(source: Bool) {
    loadedOnMain = source
    builtOnMain = MainQueue.isCurrent
  }
}

/// A presenter as an app declares it.
final class Presenter: ValueReceiver, ErrorReceiver {
  private(set) var shown: [PlaceModel] = []

  func receive(_ model: PlaceModel) { shown.append(model) }
  func receive(error: any Error) {}
}
