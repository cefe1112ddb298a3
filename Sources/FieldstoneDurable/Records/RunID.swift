public import Foundation

/// Identifies a run: 26 characters, which sort by the time at which the run was started.
///
/// It has 48 bits of wall time in milliseconds and 80 random bits. Of a runner's identifiers of the
/// same millisecond, those for the same concurrency key increase. They are written as digits and
/// capital letters without I, L, O and U, so that it can be read aloud and used in paths.
public struct RunID: Hashable, Sendable, Comparable, LosslessStringConvertible {
  /// The 26 characters.
  public let description: String

  /// Reads an identifier; nil for any other text.
  ///
  /// Lowercase letters count as capitals.
  public init?(_ description: String) {
    // A journal reads thousands at a time, which are capitals already.
    if Self.isValid(description) {
      self.description = description
      return
    }
    // Only ASCII: some other letters have capitals of it, such as ſ.
    let capitals = description.utf8.prefix(Self.length + 1).map { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte & ~0x20 : byte
    }
    let text = String(decoding: capitals, as: UTF8.self)
    guard Self.isValid(text) else { return nil }
    self.description = text
  }

  private static func isValid(_ text: String) -> Bool {
    guard text.utf8.count == length, let first = text.utf8.first, first <= UInt8(ascii: "7") else {
      return false
    }
    // A bit for each character of the alphabet: to look each up there would be up to 32 comparisons.
    let (digits, capitals) = (UInt64(0x03FF_0000_0000_0000), UInt64(0x07DF_6DFE))
    return text.utf8.allSatisfy { byte in
      byte < 128 && (byte < 64 ? digits : capitals) >> UInt64(byte & 63) & 1 == 1
    }
  }

  /// Makes a new identifier with the system's random numbers.
  ///
  /// - Parameter date: the wall time of the start, clamped to 48 bits of milliseconds.
  public init(at date: Date) {
    // Not through a generator: the system's generator is an empty value without an address. The
    // thread sanitizer misreads what it gets for one.
    self.init(at: date, slot: nil)
  }

  /// Makes a new identifier with the system's random numbers.
  ///
  /// - Parameter slot: the slot that it carries; nil for a random one.
  package init(at date: Date, slot: UInt16?) {
    let words = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))
    self.init(at: date, slot: slot ?? UInt16(truncatingIfNeeded: words.0), rest: words.1)
  }

  /// Derives an identifier from others, the same each time.
  ///
  /// - Parameters:
  ///   - seed: determines the time of the start, unless that is too early.
  ///   - other: distinguishes it from others with this seed; the result is younger than this one.
  ///   - slot: the slot that it carries.
  package init(from seed: RunID, for other: RunID, slot: UInt16) {
    let milliseconds = min(max(seed.milliseconds, other.milliseconds + 1), 281_474_976_710_655)
    // FNV-1a over both.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in Array(seed.description.utf8) + Array(other.description.utf8) {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    self.init(high: milliseconds << 16 | UInt64(slot), rest: hash)
  }

  /// The smallest identifier that is larger; nil for the largest one.
  package var successor: RunID? {
    var bytes = Array(description.utf8)
    for place in bytes.indices.reversed() {
      let digit = Self.alphabet.firstIndex(of: bytes[place]) ?? 0
      // The first group has three bits.
      guard digit == (place == 0 ? 7 : 31) else {
        bytes[place] = Self.alphabet[digit + 1]
        return RunID(String(decoding: bytes, as: UTF8.self))
      }
      bytes[place] = Self.alphabet[0]
    }
    return nil
  }

  /// The time of the start: the first 48 bits, in ten groups of five with two zeros before them.
  private var milliseconds: UInt64 {
    description.utf8.prefix(10).reduce(UInt64(0)) { sum, character in
      sum << 5 | UInt64(Self.alphabet.firstIndex(of: character) ?? 0)
    }
  }

  /// Makes an identifier in advance for a run that is started with a key.
  ///
  /// On sharded journals, a run with a key must have such an identifier.
  ///
  /// - Parameters:
  ///   - date: the wall time of the start, clamped to 48 bits of milliseconds.
  ///   - flow: the name of the flow.
  ///   - key: the run's concurrency key; if it has none, its key; empty for a flow whose runs all
  ///     are on one shard.
  public init(at date: Date, flow: String, key: String) {
    self.init(at: date, slot: Self.slot(of: flow, key: key))
  }

  /// Makes a new identifier with reproducible random numbers.
  ///
  /// - Parameters:
  ///   - date: the wall time of the start, clamped to 48 bits of milliseconds.
  ///   - generator: the source of random numbers.
  public init(at date: Date, using generator: inout some RandomNumberGenerator) {
    self.init(at: date, slot: nil, using: &generator)
  }

  /// Makes a new identifier.
  ///
  /// - Parameter slot: the slot that it carries; nil for a random one.
  package init(
    at date: Date, slot: UInt16?, using generator: inout some RandomNumberGenerator
  ) {
    let chance = UInt16.random(in: 0...UInt16.max, using: &generator)
    let rest = UInt64.random(in: 0...UInt64.max, using: &generator)
    self.init(at: date, slot: slot ?? chance, rest: rest)
  }

  private init(at date: Date, slot: UInt16, rest: UInt64) {
    self.init(high: Self.milliseconds(of: date) << 16 | UInt64(slot), rest: rest)
  }

  fileprivate static func milliseconds(of date: Date) -> UInt64 {
    let milliseconds = min(max(date.timeIntervalSince1970 * 1000, 0), 281_474_976_710_655)
    return UInt64(milliseconds.isNaN ? 0 : milliseconds)
  }

  fileprivate init(high: UInt64, rest: UInt64) {
    var bytes: [UInt8] = []
    // 128 bits in groups of five, the first with two zeros before it.
    for index in 0..<Self.length {
      let shift = (Self.length - 1 - index) * 5
      let group =
        shift >= 64
        ? high >> UInt64(shift - 64)
        : rest >> UInt64(shift) | (shift > 59 ? high << UInt64(64 - shift) : 0)
      bytes.append(Self.alphabet[Int(group & 31)])
    }
    description = String(decoding: bytes, as: UTF8.self)
  }

  /// Determines the run's journal when runs are spread over several journals.
  ///
  /// A runner gives all runs of a flow with the same concurrency key the same slot. Without a
  /// concurrency key, runs with the same key share a slot; runs without either have a random one. A
  /// child has its parent's slot.
  package var slot: UInt16 {
    // The bits from 64 to 79: four groups of five, without the last four bits of these.
    var bits: UInt32 = 0
    for character in Array(description.utf8)[10...13] {
      bits = bits << 5 | UInt32(Self.alphabet.firstIndex(of: character) ?? 0)
    }
    return UInt16(truncatingIfNeeded: bits >> 4)
  }

  /// The slot of all runs of a flow with a key: FNV-1a, folded.
  ///
  /// Never change it, because journals store it.
  package static func slot(of flow: String, key: String) -> UInt16 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in Array(flow.utf8) + [0] + Array(key.utf8) {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return UInt16(truncatingIfNeeded: hash ^ hash >> 16 ^ hash >> 32 ^ hash >> 48)
  }

  /// The smallest identifier with this time.
  package static func lowest(at date: Date) -> Self { Self(at: date, slot: 0, rest: 0) }
  /// The largest identifier with this time.
  package static func highest(at date: Date) -> Self { Self(at: date, slot: .max, rest: .max) }

  private static let length = 26
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// Whether a run was started before another, as far as their wall clocks agreed.
  public static func < (left: Self, right: Self) -> Bool {
    left.description < right.description
  }
}

/// Makes identifiers that increase within a millisecond, of those in the same slot.
///
/// Journals give runs that are due at the same time in the order of their identifiers. All runs with
/// a concurrency key share a slot, so runs that are started together get their turns in order.
package struct RunIDSequence: Sendable {
  private var last: (milliseconds: UInt64, rest: UInt64)?

  package init() {}

  /// Makes a new identifier.
  ///
  /// - Parameter random: a random number, for the bits after the slot.
  package mutating func next(at date: Date, slot: UInt16, random: UInt64) -> RunID {
    let milliseconds = RunID.milliseconds(of: date)
    // Without the highest bit, so that the steps can't overflow it.
    var rest = random >> 1
    if let last, last.milliseconds == milliseconds {
      // A random step, so that no identifier can be guessed from another.
      rest = last.rest &+ (random >> 32) &+ 1
    }
    last = (milliseconds, rest)
    return RunID(high: milliseconds << 16 | UInt64(slot), rest: rest)
  }
}

extension RunID: Codable {
  /// Reads the identifier from a string.
  ///
  /// - Throws: `DecodingError` if the string is no identifier.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = Self(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(text) is no run's identifier.")
    }
    self = id
  }

  /// Writes the identifier as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
