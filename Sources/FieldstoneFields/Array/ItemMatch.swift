/// Finds the items that two arrays have in common, in order; an assignment keeps their identities.
///
/// It is the longest common subsequence (Hunt and Szymanski): of all pairs of equal items, the
/// longest chain that rises on both sides. That costs O(p log n) for p pairs, and so O(n log n)
/// where no item is repeated. Where repeated items make too many pairs, equal items are paired in
/// order: the first with the first on the other side, the second with the second.
struct ItemMatch {
  /// An item of the old array, and its match in the new one.
  typealias Pair = (old: Int, new: Int)

  /// The most pairs, or comparisons of items without a hash, for one assignment, besides those in
  /// proportion to the arrays.
  private static var mostPairs: Int { 1_000_000 }

  /// The kind of each item of one side: those of one kind are equal.
  private typealias Kinds = [Int32]

  /// The kind of an item that the other side does not have.
  private static var none: Int32 { -1 }

  /// The indices of items in two arrays that keep their identity, in rising order.
  static func pairs<Element: Equatable>(
    _ old: ArraySlice<Element>, _ new: ArraySlice<Element>
  ) -> [Pair] {
    guard !old.isEmpty, !new.isEmpty, old.count + new.count < Int(Int32.max) else { return [] }
    // The shorter side defines the kinds: items without a hash are compared with each of them.
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

  /// The kinds of items that have a hash; nil if they have none, or too many collisions.
  ///
  /// The kind of an item is the index of the first equal item on the shorter side.
  private static func hashedKinds<Element: Equatable>(
    _ shorter: ArraySlice<Element>, _ longer: ArraySlice<Element>
  ) -> BothKinds? {
    guard let type = Element.self as? any Hashable.Type,
      let shorterHashes = hashes(of: shorter, as: type),
      let longerHashes = hashes(of: longer, as: type)
    else { return nil }
    // Pointers: in unspecialised code, reading a slice or a buffer costs as much as a hash.
    return shorter.withUnsafeBufferPointer { shorterItems in
      longer.withUnsafeBufferPointer { longerItems in
        guard let shorter = shorterItems.baseAddress, let longer = longerItems.baseAddress else {
          return nil
        }
        let (shorterCount, longerCount) = (shorterItems.count, longerItems.count)
        var table = HashTable(count: shorterCount, probes: 16 * (shorterCount + longerCount))
        var (shorterKinds, longerKinds) = (Kinds(), Kinds())
        shorterKinds.reserveCapacity(shorterCount)
        longerKinds.reserveCapacity(longerCount)
        for (place, hash) in shorterHashes.enumerated() {
          let found = table.find(hash) { isSame(shorter[$0], shorter[place]) }
          guard let found else { return nil }
          shorterKinds.append(table.insert(place, hash, at: found))
        }
        for (place, hash) in longerHashes.enumerated() {
          let found = table.find(hash) { isSame(shorter[$0], longer[place]) }
          guard let found else { return nil }
          longerKinds.append(table.place(at: found) ?? none)
        }
        return (shorterKinds, longerKinds, shorterCount)
      }
    }
  }

  private static func hashes<Item: Hashable>(of items: Any, as type: Item.Type) -> [Int]? {
    // The same slice, cast to a type whose elements have a hash.
    guard let items = items as? ArraySlice<Item> else { return nil }
    return items.withUnsafeBufferPointer { items in
      var hashes: [Int] = []
      hashes.reserveCapacity(items.count)
      // Not by `map` and a key path, which unspecialised code follows for each item.
      if let first = items.baseAddress {
        for place in items.indices { hashes.append(first[place].hashValue) }
      }
      return hashes
    }
  }

  /// The indices of items by their hash: half a hash is stored beside each index, so that items are
  /// compared only if they are almost certainly equal.
  private struct HashTable {
    private static let empty = UInt64.max

    private var entries: [UInt64]
    private let mask: Int

    /// The number of entries that may still be skipped.
    private var probes: Int

    init(count: Int, probes: Int) {
      let capacity = 1 << (Int.bitWidth - (2 * count - 1).leadingZeroBitCount)
      entries = [UInt64](repeating: Self.empty, count: capacity)
      mask = capacity - 1
      self.probes = probes
    }

    private static func tag(_ hash: Int) -> UInt64 {
      UInt64(truncatingIfNeeded: hash) & 0xFFFF_FFFF_0000_0000
    }

    /// The entry of the item that a closure finds the same, or the empty entry for it; nil when
    /// that takes too long.
    @inline(__always)
    mutating func find(_ hash: Int, where isIt: (Int) -> Bool) -> Int? {
      let tag = Self.tag(hash)
      var index = hash & mask
      while entries[index] != Self.empty {
        let entry = entries[index]
        if entry & 0xFFFF_FFFF_0000_0000 == tag, isIt(Int(entry & 0xFFFF_FFFF)) { return index }
        probes -= 1
        if probes < 0 { return nil }
        index = (index + 1) & mask
      }
      return index
    }

    func place(at index: Int) -> Int32? {
      let entry = entries[index]
      return entry == Self.empty ? nil : Int32(truncatingIfNeeded: entry)
    }

    /// Stores an item in an entry, unless that is occupied.
    ///
    /// - Returns: the index of the item in the entry.
    mutating func insert(_ place: Int, _ hash: Int, at index: Int) -> Int32 {
      if let known = self.place(at: index) { return known }
      entries[index] = Self.tag(hash) | UInt64(place)
      return Int32(place)
    }
  }

  /// The kinds of items without a hash; nil if that takes too many comparisons.
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
    // The indices of each kind on the old side are stored together, from the last to the first.
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

    // For each length, the chain that ends lowest on the old side; and every link of such a chain.
    var tails: [Int32] = []
    var tailLinks: [Int32] = []
    var links: [(old: Int32, new: Int32, before: Int32)] = []
    func extend(to place: Int32, _ newPlace: Int) {
      // Most items keep their order: an item after all others needs no search.
      var (low, high) = (0, tails.count)
      if let last = tails.last, last < place { low = high }
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
    // Each kind is used up from its first index, which is stored last.
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
