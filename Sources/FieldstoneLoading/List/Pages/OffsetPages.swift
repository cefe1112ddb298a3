/// The pages of a source that is addressed by offset and limit.
///
/// The offset counts the loaded items, duplicates included, plus local inserts and minus local
/// removes before it. So an edit that the source also has leaves no gap.
struct OffsetPages<Item: Sendable>: DataProvider {
  private let base: AnyProvider<OffsetRequest, OffsetPage<Item>>
  private let start: Int
  private let pageSize: Int

  /// Makes pages of a number of items.
  ///
  /// - Parameters:
  ///   - base: loads a part.
  ///   - pageSize: the number of items in a page; less than one counts as one.
  ///   - start: the number of items before the first page, which can be prepended.
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
    let limit = Self.sum(pageSize, request.growth)
    switch request.direction {
    // Edits have removed the whole page: what is at its place now belongs to its neighbours.
    case .next where limit < 1:
      return ItemPage([], next: place, previous: previous(of: request, at: place))
    case .previous where limit < 1:
      return ItemPage([], previous: place > 0 ? place : nil)
    case .next:
      let part = try await load(from: place, limit: limit, reporting: events)
      let end = Self.sum(place, part.items.count)
      let isLast =
        part.items.isEmpty || part.total.map { end >= $0 } ?? (part.items.count < limit)
      return ItemPage(
        part.items, next: isLast ? nil : end, previous: previous(of: request, at: place))
    case .previous:
      let first = max(0, place - limit)
      guard first < place else { return ItemPage([]) }
      let part = try await load(from: first, limit: place - first, reporting: events)
      return ItemPage(part.items, previous: first > 0 ? first : nil)
    }
  }

  /// The previous cursor: only the first page can have items before it that are not in the list.
  private func previous(of request: PageRequest<Int>, at place: Int) -> Int? {
    request.cursor == nil && place > 0 ? place : nil
  }

  private func load(
    from offset: Int, limit: Int, reporting events: LoadEvents<ItemPage<Item, Int>>
  ) async throws -> OffsetPage<Item> {
    try await base.load(
      OffsetRequest(offset: offset, limit: limit),
      reporting: LoadEvents(onProgress: { events.progress($0) }))
  }

  // A stored cursor may have any value, so the sum may overflow.
  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, overflows) = a.addingReportingOverflow(b)
    return overflows ? .max : sum
  }
}

/// A part of a list that is addressed by offset.
public struct OffsetPage<Item> {
  /// The items of the part.
  public var items: [Item]

  /// The total number of items, or nil if the source does not know it.
  ///
  /// If it is nil, a part with fewer items than requested is the last one.
  public var total: Int?

  /// Makes a part.
  public init(_ items: [Item], total: Int? = nil) {
    self.items = items
    self.total = total
  }
}

extension OffsetPage: Sendable where Item: Sendable {}
extension OffsetPage: Equatable where Item: Equatable {}

/// A request for a part of a list that is addressed by offset.
public struct OffsetRequest: Sendable, Hashable {
  /// The number of items before the part, adjusted for local inserts and removes.
  public var offset: Int

  /// The maximum number of items in the part.
  public var limit: Int

  /// Makes a request; the offset is at least 0, the limit at least 1.
  public init(offset: Int, limit: Int) {
    self.offset = max(0, offset)
    self.limit = max(1, limit)
  }
}
