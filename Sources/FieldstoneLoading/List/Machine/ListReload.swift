/// A reload on its way: what it has gathered, which is shown once it is whole.
@usableFromInline
struct ListReload<Item: Identifiable, Cursor: Hashable> {
  /// An edit that was made since the reload began.
  indirect enum Edit {  // As is `ItemPlace`.
    case update(Item)
    case insert(Item, ItemPlace<Item.ID>)
    case remove(Item.ID)
  }

  var number = 0
  var request: PageRequest<Cursor>
  var calls: [Int]
  let mode: ReloadMode

  var content: ListContent<Item, Cursor>

  /// At which edge the gathered pages grow.
  var direction: PageDirection

  /// How many pages are still wanted at each edge.
  var wantedNext: Int
  var wantedPrevious: Int

  var report = PageReport()
  var skipCount = 0

  /// By how many items local edits have moved what follows the page, since the request.
  private(set) var shift = 0
  var edits: [Edit] = []

  /// Goes on with another request.
  mutating func begin(_ request: PageRequest<Cursor>, number: Int) {
    self.request = request
    self.number = number
    shift = 0
  }

  /// Takes note of items that came or went by a local edit.
  mutating func note(shift: Int) {
    // What lies before the list is not moved by it; what lies after it is, loaded or not.
    if direction == .next { self.shift += shift } else { content.shiftEnd(by: shift) }
  }

  /// Takes note of what came, and says what to load now, or nil when it is whole.
  mutating func goOn(after addition: PageReport, skipLimit: Int) -> PageRequest<Cursor>? {
    report += addition
    if addition.addedCount > 0 {
      skipCount = 0
      if direction == .next { wantedNext -= 1 } else { wantedPrevious -= 1 }
    } else {
      skipCount += 1
    }
    let goesOn = skipCount <= skipLimit
    if direction == .next, wantedNext > 0, goesOn, let request = content[.next].requests.last {
      return request
    }
    if direction == .next {
      direction = .previous
      skipCount = 0
    } else if !goesOn {
      return nil
    }
    return wantedPrevious > 0 ? content[.previous].requests.last : nil
  }
}
