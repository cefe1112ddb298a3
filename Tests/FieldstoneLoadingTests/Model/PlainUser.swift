import FieldstoneLoading

// Everything here is adopted as a user would, and without Foundation.

/// A model of JSON.
struct PlainUser: DataModel, Decodable {
  var name: String
}

/// A provider without state.
struct PlainProvider: DataProvider {
  func load(_ name: String, reporting events: LoadEvents<String>) async throws -> String {
    try Task.checkCancellation()
    events.progress(.fraction(1))
    return name
  }
}

/// An error that gives advice by default.
struct PlainError: RetryAdvisingError {}
