/// A page on its way to an edge, and the calls that wait for it.
@usableFromInline
struct EdgeLoad<Item: Identifiable, Cursor> {
  var number: Int
  var request: PageRequest<Cursor>
  var calls: [Int]
  var report = PageReport()

  /// How many pages without anything new have come.
  var skipCount = 0

  /// By how many items local edits have moved what follows the page, since the request.
  var shift = 0

  /// The items that were edited since the request.
  var edited: Set<Item.ID> = []
}
