/// Where in a list an id is, known by a fingerprint of the id and the number of its page.
///
/// It is not generic, so that the loop over a page's fingerprints is compiled once for all items.
/// The caller compares the ids of the page named. It grows without hashing anew, as a slot follows
/// from the fingerprint.
@usableFromInline
struct IdentityIndex: Sendable {
  /// Fingerprint and page number; the numbers below 2³² mean that nothing is there.
  private var slots: [UInt64] = []
  private var mask = 0

  /// How many slots are not free, those included that were given up.
  private var usedCount = 0
  private(set) var count = 0

  /// Written so that the compiler believes that reading ahead is of use.
  private var lastTaken: UInt64 = 0

  private static let free: UInt64 = 0
  private static let givenUp: UInt64 = 1

  @usableFromInline
  init() {}

  /// 31 bits of a hash, and a bit that is always set.
  @inlinable
  static func fingerprint(of id: some Hashable) -> UInt32 {
    let hash = UInt64(bitPattern: Int64(id.hashValue))
    return UInt32(truncatingIfNeeded: hash ^ (hash >> 32)) | 0x8000_0000
  }

  /// Adds ids that are all in one page, until one may be there already.
  ///
  /// - Returns: how many were added; when not all were, the next one has to be looked up.
  @usableFromInline
  mutating func add(_ fingerprints: UnsafeBufferPointer<UInt32>, page: Int32) -> Int {
    reserve(fingerprints.count)
    let low = UInt64(UInt32(bitPattern: page))
    let mask = mask
    var taken: UInt64 = 0
    let added = slots.withUnsafeMutableBufferPointer { slots in
      // Without a branch between them, the slots that are not in the cache are fetched at once.
      for fingerprint in fingerprints { taken |= slots[Int(fingerprint) & mask] }
      for (number, fingerprint) in fingerprints.enumerated() {
        var place = Int(fingerprint) & mask
        while slots[place] != Self.free {
          if UInt32(truncatingIfNeeded: slots[place] >> 32) == fingerprint { return number }
          place = (place + 1) & mask
        }
        slots[place] = UInt64(fingerprint) << 32 | low
      }
      return fingerprints.count
    }
    lastTaken = taken
    count += added
    usedCount += added
    return added
  }

  /// Adds an id that is not there.
  mutating func add(_ fingerprint: UInt32, page: Int32) {
    reserve(1)
    var place = Int(fingerprint) & mask
    while slots[place] != Self.free { place = (place + 1) & mask }
    slots[place] = UInt64(fingerprint) << 32 | UInt64(UInt32(bitPattern: page))
    count += 1
    usedCount += 1
  }

  /// The page of an id, or nil.
  ///
  /// - Parameter holds: whether the page with a number has the id.
  func page(of fingerprint: UInt32, where holds: (Int32) -> Bool) -> Int32? {
    place(of: fingerprint, where: holds).map { Int32(truncatingIfNeeded: slots[$0]) }
  }

  /// Takes an id out.
  mutating func remove(_ fingerprint: UInt32, where holds: (Int32) -> Bool) {
    guard let place = place(of: fingerprint, where: holds) else { return }
    slots[place] = Self.givenUp
    count -= 1
  }

  private func place(of fingerprint: UInt32, where holds: (Int32) -> Bool) -> Int? {
    guard !slots.isEmpty else { return nil }
    var place = Int(fingerprint) & mask
    while slots[place] != Self.free {
      let slot = slots[place]
      if UInt32(truncatingIfNeeded: slot >> 32) == fingerprint,
        holds(Int32(truncatingIfNeeded: slot))
      {
        return place
      }
      place = (place + 1) & mask
    }
    return nil
  }

  /// Makes room for more, with a fifth of the slots free: small memory counts for more than short
  /// runs of taken slots.
  private mutating func reserve(_ more: Int) {
    guard (usedCount + more) * 5 > slots.count * 4 else { return }
    var size = 64
    // What was given up is not taken along; still there has to be room for a while.
    while size * 5 < (count + more) * 9 { size *= 2 }
    let old = slots
    slots = [UInt64](repeating: Self.free, count: size)
    mask = size - 1
    usedCount = count
    let mask = mask
    slots.withUnsafeMutableBufferPointer { slots in
      for slot in old where slot > Self.givenUp {
        var place = Int(slot >> 32) & mask
        while slots[place] != Self.free { place = (place + 1) & mask }
        slots[place] = slot
      }
    }
  }
}
