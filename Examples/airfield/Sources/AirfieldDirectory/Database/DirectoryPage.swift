/// A page of airports, with where it stands among the others.
public struct DirectoryPage: Sendable, Equatable {
  /// The number of this page, from 1.
  public let number: Int

  /// The number of the last page; 1 also where nothing was found.
  public let last: Int

  /// How many airports all pages have together.
  public let total: Int

  /// The airports of this page, by name.
  public let airports: [Airport]

  /// Makes a page.
  public init(number: Int, last: Int, total: Int, airports: [Airport]) {
    self.number = number
    self.last = last
    self.total = total
    self.airports = airports
  }
}
