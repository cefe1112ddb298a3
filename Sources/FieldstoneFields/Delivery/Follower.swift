/// A field that is out of date when one of its sources has changed.
protocol Follower: AnyObject {
  /// One more than the greatest height of its sources, so that they are updated first.
  var height: Int { get }

  /// Whether it has to be recomputed.
  var isInvalid: Bool { get set }

  /// The fields derived from it.
  var followers: [WeakFollower] { get }

  /// Recomputes it if it is out of date.
  func update()
}

/// Followers that are out of date: a heap ordered by height, then by insertion.
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

  /// Removes the lowest follower, unless it is higher than a limit.
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
  /// Marks followers, and everything derived from them, as out of date.
  func invalidate(_ followers: [WeakFollower]) {
    // A list and not recursion: chains may be longer than the stack is deep. The list is read from
    // its front: at equal height, the follower that was made first is updated first.
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

  /// Whether all followers of a source are out of date; from now on, they are.
  func hasInvalidated(followersOf source: AnyField) -> Bool {
    !invalidatedSources.insert(ObjectIdentifier(source)).inserted
  }

  /// Called when a follower becomes up to date.
  func noteUpdate() {
    if !invalidatedSources.isEmpty { invalidatedSources = [] }
  }

  /// Updates the followers up to a height.
  func updateFollowers(upTo height: Int) {
    while let follower = invalid.popLowest(upTo: height) { follower.update() }
    hasInvalid = !invalid.isEmpty
  }
}

extension Array {
  /// Adds an element; where the array would grow, elements that are over are removed first.
  ///
  /// O(1) amortised: a sweep leaves room for as many elements as stay.
  mutating func appendSweeping(_ element: Element, where stays: (Element) -> Bool) {
    if count == capacity, count > 8 {
      removeAll { !stays($0) }
      reserveCapacity(Swift.max(2 * count, 16))
    }
    append(element)
  }
}
