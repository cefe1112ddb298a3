/// Maps ids to the pages that hold them, by a fingerprint of the id.
///
/// It is not generic, so the loop over a page's fingerprints is compiled once for all items. The
/// caller compares the ids of the page it finds. It grows without hashing again, because a slot
/// follows from the fingerprint.
@usableFromInline
struct IdentityIndex: Sendable {
  /// Fingerprint and page number; a value below 2³² is not an entry.
  private var slots: [UInt64] = []
  private var mask = 0

  /// The number of slots that are not free, including those of removed entries.
  private var usedCount = 0
  private(set) var count = 0

  /// Stored so that the compiler does not remove the prefetching reads.
  private var lastTaken: UInt64 = 0

  private static let free: UInt64 = 0
  private static let givenUp: UInt64 = 1

  @usableFromInline
  init() {}

  /// 31 bits of a hash, and the top bit, which is always set.
  @inlinable
  static func fingerprint(of id: some Hashable) -> UInt32 {
    let hash = UInt64(bitPattern: Int64(id.hashValue))
    return UInt32(truncatingIfNeeded: hash ^ (hash >> 32)) | 0x8000_0000
  }

  /// Adds ids of one page, up to the first that may already be present.
  ///
  /// - Returns: the number of added ids; if some are left, the caller looks up the next one.
  @usableFromInline
  mutating func add(_ fingerprints: UnsafeBufferPointer<UInt32>, page: Int32) -> Int {
    reserve(fingerprints.count)
    let low = UInt64(UInt32(bitPattern: page))
    let mask = mask
    var taken: UInt64 = 0
    let added = slots.withUnsafeMutableBufferPointer { slots in
      // Without branches between the reads, the processor fetches uncached slots concurrently.
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

  /// Adds an id that is not present.
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

  /// Removes an id.
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

  /// Reserves room for more ids and keeps a fifth of the slots free, because low memory matters
  /// more than short probe sequences.
  private mutating func reserve(_ more: Int) {
    guard (usedCount + more) * 5 > slots.count * 4 else { return }
    var size = 64
    // Removed entries are not copied; the extra room keeps the next growth from following at once.
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
