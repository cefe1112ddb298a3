/// The runs that have changed, the latest of them.
struct InMemoryChanges {
  private var latest: [RunID] = []
  /// How many are forgotten.
  private var forgotten: Int64 = 0

  private static let kept = 10_000

  var mark: JournalMark { JournalMark(positions: [forgotten + Int64(latest.count)]) }

  mutating func append(_ id: RunID) {
    latest.append(id)
    guard latest.count >= 2 * Self.kept else { return }
    latest.removeFirst(Self.kept)
    forgotten += Int64(Self.kept)
  }

  /// Those since a mark; none without one, nil when some of them are forgotten.
  func entries(since mark: JournalMark?) -> ArraySlice<RunID>? {
    guard let position = mark?.positions.first else { return [] }
    let index = position - forgotten
    guard index >= 0, index <= latest.count else { return nil }
    return latest[Int(index)...]
  }
}
