import AirfieldDirectory

/// What a search has given, told apart from every other search.
struct DirectoryAnswer: Sendable {
  let number: Int
  let results: AirportResults
}
