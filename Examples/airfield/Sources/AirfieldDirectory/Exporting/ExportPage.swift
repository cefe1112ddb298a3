/// The airports of a page, and where the page after it lies.
struct ExportPage: Sendable, Equatable {
  /// The airports, in the order in which they were stored.
  let airports: [Airport]

  /// Where the next page lies; nil where none follows.
  let next: ExportRange?
}
