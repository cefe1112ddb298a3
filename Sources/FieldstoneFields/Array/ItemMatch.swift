/// Finds the items that two arrays have in common, in order: what an assignment leaves the same.
///
/// It is the longest common subsequence (Hunt and Szymanski): of all pairs of equal items, the
/// longest chain that rises on both sides. That costs O(p log n) for p pairs, and so O(n log n)
/// where each item is there once. Where items are repeated so often that the pairs are too many,
/// the first of each kind is paired with the first on the other side, the second with the second.
struct ItemMatch {
  /// An item of the old array, and the item of the new one that it is.
  typealias Pair = (old: Int, new: Int)

  /// How many pairs, or comparisons of items that have no hash, an assignment is worth besides
  /// those in proportion to the arrays.
  private static var mostPairs: Int { 1_000_000 }

  /// The kind of each item of one side: those of one kind are equal.
  private typealias Kinds = [Int32]

  /// The kind of an item that the other side does not have.
  private static var none: Int32 { -1 }

  /// The places of items in two arrays which keep their identity, in rising order.
  static func pairs<Element: Equatable>(
    _ old: ArraySlice<Element>, _ new: ArraySlice<Element>
  ) -> [Pair] {
    guard !old.isEmpty, !new.isEmpty, old.count + new.count < Int(Int32.max) else { return [] }
    // The shorter side names the kinds: what has no hash is compared with each of them.
    let isOldShorter = old.count <= new.count
    let (shorter, longer) = isOldShorter ? (old, new) : (new, old)
    guard let kinds = hashedKinds(shorter, longer) ?? comparedKinds(shorter, longer) else {
      return []
    }
    let (oldKinds, newKinds) =
      isOldShorter ? (kinds.shorter, kinds.longer) : (kinds.longer, kinds.shorter)
    return chain(oldKinds, newKinds, kindCount: kinds.count).map {
      (old.startIndex + $0.old, new.startIndex + $0.new)
    }
  }

  // MARK: - Kinds

  private typealias BothKinds = (shorter: Kinds, longer: Kinds, count: Int)

  /// The kinds of items that have a hash; nil where they have none, or hashes that tell nothing.
  private static func hashedKinds<Element: Equatable>(
    _ shorter: ArraySlice<Element>, _ longer: ArraySlice<Element>
  ) -> BothKinds? {
    guard let type = Element.self as? any Hashable.Type,
      let shorterHashes = hashes(of: shorter, as: type),
      let longerHashes = hashes(of: longer, as: type)
    else { return nil }
    let capacity = 1 << (Int.bitWidth - (2 * shorter.count - 1).leadingZeroBitCount)
    let mask = capacity - 1
    // Each slot holds the kind that lies there; each kind, its first item.
    var slots = [Int32](repeating: none, count: capacity)
    var firsts: [Int32] = []
    var probes = 16 * (shorter.count + longer.count)

    /// The slot of an item's kind, or the empty one where it would be; nil when that takes too long.
    func slot(of place: Int, in items: ArraySlice<Element>, _ hashes: [Int]) -> Int? {
      let hash = hashes[place]
      var slot = hash & mask
      while slots[slot] != none {
        let first = Int(firsts[Int(slots[slot])])
        if shorterHashes[first] == hash,
          isSame(shorter[shorter.startIndex + first], items[items.startIndex + place])
        {
          return slot
        }
        probes -= 1
        if probes < 0 { return nil }
        slot = (slot + 1) & mask
      }
      return slot
    }

    var (shorterKinds, longerKinds) = (Kinds(), Kinds())
    shorterKinds.reserveCapacity(shorter.count)
    longerKinds.reserveCapacity(longer.count)
    for place in 0..<shorter.count {
      guard let slot = slot(of: place, in: shorter, shorterHashes) else { return nil }
      if slots[slot] == none {
        slots[slot] = Int32(firsts.count)
        firsts.append(Int32(place))
      }
      shorterKinds.append(slots[slot])
    }
    for place in 0..<longer.count {
      guard let slot = slot(of: place, in: longer, longerHashes) else { return nil }
      longerKinds.append(slots[slot])
    }
    return (shorterKinds, longerKinds, firsts.count)
  }

  private static func hashes<Item: Hashable>(of items: Any, as type: Item.Type) -> [Int]? {
    // The same slice: its type says now that its elements have a hash.
    (items as? ArraySlice<Item>).map { $0.map(\.hashValue) }
  }

  /// The kinds of items that have no hash; nil where that is too many comparisons.
  private static func comparedKinds<Element: Equatable>(
    _ shorter: ArraySlice<Element>, _ longer: ArraySlice<Element>
  ) -> BothKinds? {
    let (comparisons, overflows) = shorter.count.multipliedReportingOverflow(by: longer.count)
    guard !overflows, comparisons <= mostPairs else { return nil }
    var firsts: [Element] = []
    let shorterKinds = shorter.map { item in
      if let kind = firsts.firstIndex(where: { isSame($0, item) }) { return Int32(kind) }
      firsts.append(item)
      return Int32(firsts.count - 1)
    }
    let longerKinds = longer.map { item in
      firsts.firstIndex { isSame($0, item) }.map { Int32($0) } ?? none
    }
    return (shorterKinds, longerKinds, firsts.count)
  }

  // MARK: - The chain

  /// The longest chain of pairs of the same kind that rises on both sides.
  private static func chain(_ old: Kinds, _ new: Kinds, kindCount: Int) -> [Pair] {
    // The places of each kind on the old side lie together, from the last to the first.
    var starts = [Int32](repeating: 0, count: kindCount + 1)
    for kind in old where kind != none { starts[Int(kind) + 1] += 1 }
    let isTooMany = hasTooManyPairs(
      new, counts: starts, most: mostPairs + 4 * (old.count + new.count))
    for kind in 0..<kindCount { starts[kind + 1] += starts[kind] }
    var places = [Int32](repeating: 0, count: Int(starts[kindCount]))
    var next = Array(starts.dropLast())
    for place in old.indices.reversed() where old[place] != none {
      let kind = Int(old[place])
      places[Int(next[kind])] = Int32(place)
      next[kind] += 1
    }

    // For each length, the chain that ends lowest on the old side; and each link that was ever one.
    var tails: [Int32] = []
    var tailLinks: [Int32] = []
    var links: [(old: Int32, new: Int32, before: Int32)] = []
    func extend(to place: Int32, _ newPlace: Int) {
      var (low, high) = (0, tails.count)
      while low < high {
        let middle = (low + high) / 2
        if tails[middle] < place { low = middle + 1 } else { high = middle }
      }
      if low < tails.count, tails[low] == place { return }
      let before = low == 0 ? -1 : tailLinks[low - 1]
      links.append((place, Int32(newPlace), before))
      if low == tails.count {
        tails.append(place)
        tailLinks.append(Int32(links.count - 1))
      } else {
        tails[low] = place
        tailLinks[low] = Int32(links.count - 1)
      }
    }
    // Kinds are used up from their first place on, which lies last.
    var left = Array(starts.dropFirst())
    for (newPlace, kind) in new.enumerated() where kind != none {
      let kind = Int(kind)
      if isTooMany {
        if left[kind] == starts[kind] { continue }
        left[kind] -= 1
        extend(to: places[Int(left[kind])], newPlace)
      } else {
        for index in starts[kind]..<starts[kind + 1] { extend(to: places[Int(index)], newPlace) }
      }
    }

    var pairs: [Pair] = []
    pairs.reserveCapacity(tails.count)
    var link = tailLinks.last ?? -1
    while link >= 0 {
      let (old, new, before) = links[Int(link)]
      pairs.append((Int(old), Int(new)))
      link = before
    }
    return pairs.reversed()
  }

  private static func hasTooManyPairs(_ new: Kinds, counts: [Int32], most: Int) -> Bool {
    var pairs = 0
    for kind in new where kind != none {
      pairs += Int(counts[Int(kind) + 1])
      if pairs > most { return true }
    }
    return false
  }
}
