/// The pages of a source that counts: it is asked for so many items from so many on.
///
/// The offset counts the loaded items, duplicates included, plus local inserts and minus local
/// removes before it. So an edit that the source has, too, leaves no hole.
struct OffsetPages<Item: Sendable>: DataProvider {
  private let base: AnyProvider<OffsetRequest, OffsetPage<Item>>
  private let start: Int
  private let pageSize: Int

  /// Makes pages of so many items, from so many items on.
  ///
  /// - Parameters:
  ///   - base: loads a part.
  ///   - pageSize: how many items a page has; less than one counts as one.
  ///   - start: how many items come before the first page; those can be prepended.
  init(
    _ base: some DataProvider<OffsetRequest, OffsetPage<Item>>, pageSize: Int, start: Int = 0
  ) {
    self.base = base.erased()
    self.pageSize = max(1, pageSize)
    self.start = max(0, start)
  }

  /// Loads a page.
  ///
  /// - Throws: the source's error.
  @concurrent
  func load(
    _ request: PageRequest<Int>, reporting events: LoadEvents<ItemPage<Item, Int>>
  ) async throws -> ItemPage<Item, Int> {
    let place = max(0, Self.sum(request.cursor ?? start, request.shift))
    switch request.direction {
    case .next:
      let part = try await load(from: place, limit: pageSize, reporting: events)
      let end = Self.sum(place, part.items.count)
      let isLast =
        part.items.isEmpty || part.total.map { end >= $0 } ?? (part.items.count < pageSize)
      // Only the first page has anything before it that is not in the list.
      let previous = request.cursor == nil && place > 0 ? place : nil
      return ItemPage(part.items, next: isLast ? nil : end, previous: previous)
    case .previous:
      let first = max(0, place - pageSize)
      guard first < place else { return ItemPage([]) }
      let part = try await load(from: first, limit: place - first, reporting: events)
      return ItemPage(part.items, previous: first > 0 ? first : nil)
    }
  }

  private func load(
    from offset: Int, limit: Int, reporting events: LoadEvents<ItemPage<Item, Int>>
  ) async throws -> OffsetPage<Item> {
    try await base.load(
      OffsetRequest(offset: offset, limit: limit),
      reporting: LoadEvents(onProgress: { events.progress($0) }))
  }

  // A stored cursor may be anything.
  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, overflows) = a.addingReportingOverflow(b)
    return overflows ? .max : sum
  }
}

/// A part of a counted list.
public struct OffsetPage<Item> {
  /// The items of the part.
  public var items: [Item]

  /// How many items there are in all, or nil where the source does not say.
  ///
  /// Then a part with fewer items than were asked for is the last one.
  public var total: Int?

  /// Makes a part.
  public init(_ items: [Item], total: Int? = nil) {
    self.items = items
    self.total = total
  }
}

extension OffsetPage: Sendable where Item: Sendable {}
extension OffsetPage: Equatable where Item: Equatable {}

/// Which part of a counted list to load.
public struct OffsetRequest: Sendable, Hashable {
  /// How many items come before the part, local inserts and removes taken into account.
  public var offset: Int

  /// How many items the part has at most.
  public var limit: Int

  /// Makes a request; what is below zero, or below one for the limit, is raised to that.
  public init(offset: Int, limit: Int) {
    self.offset = max(0, offset)
    self.limit = max(1, limit)
  }
}
