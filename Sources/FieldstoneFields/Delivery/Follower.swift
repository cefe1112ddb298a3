/// A field that is out of date when one of its sources has changed.
protocol Follower: AnyObject {
  /// One more than the highest of those it is made from, so that they come first.
  var height: Int { get }

  /// Whether it has to be computed again.
  var isInvalid: Bool { get set }

  /// Those that are made from it.
  var followers: [WeakFollower] { get }

  /// Computes it again if it has to be.
  func update()
}

/// Followers that are out of date: a heap with the lowest on top, the first to come before others
/// of its height.
struct FollowerHeap {
  private var entries: [(height: Int, number: Int, follower: any Follower)] = []
  private var lastNumber = 0

  var isEmpty: Bool { entries.isEmpty }

  mutating func insert(_ follower: any Follower) {
    lastNumber += 1
    entries.append((follower.height, lastNumber, follower))
    var child = entries.count - 1
    while child > 0, precedes(child, (child - 1) / 2) {
      entries.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes the one on top, unless it is higher than a limit.
  mutating func popLowest(upTo limit: Int = .max) -> (any Follower)? {
    guard let top = entries.first, top.height <= limit else { return nil }
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < entries.count && precedes(child, least) {
        least = child
      }
      if least == parent { break }
      entries.swapAt(parent, least)
      parent = least
    }
    return top.follower
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    (entries[left].height, entries[left].number) < (entries[right].height, entries[right].number)
  }
}

extension DeliveryContext {
  /// Marks followers, and all that follow them, as out of date.
  func invalidate(_ followers: [WeakFollower]) {
    // A list and not recursion: chains may be longer than the stack is deep. From its beginning:
    // of those at the same height, the one that was made first comes first.
    var open = followers
    var next = 0
    while next < open.count {
      defer { next += 1 }
      guard let follower = open[next].follower, !follower.isInvalid else { continue }
      follower.isInvalid = true
      invalid.insert(follower)
      hasInvalid = true
      open.append(contentsOf: follower.followers)
    }
  }

  /// Brings followers up to date as far as a level.
  func updateFollowers(upTo height: Int) {
    while let follower = invalid.popLowest(upTo: height) { follower.update() }
    hasInvalid = !invalid.isEmpty
  }
}
