import Fieldstone

/// A provider that does as good as nothing.
struct Doubling: DataProvider {
  @concurrent
  func load(_ number: Int, reporting events: LoadEvents<Int>) async throws -> Int {
    number &* 2
  }
}

/// A model of it.
struct Doubled: DataModel {
  let number: Int

  init(source: Int) { number = source }
}
