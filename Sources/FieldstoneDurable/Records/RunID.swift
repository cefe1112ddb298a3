public import Foundation

/// Names a run: 26 characters, which sort by the time at which the run was started.
///
/// Forty-eight bits of wall time in milliseconds and eighty bits of chance, as digits and capital
/// letters without I, L, O and U, so that it can be read out on the phone and put into a path.
public struct RunID: Hashable, Sendable, Comparable, LosslessStringConvertible {
  /// The 26 characters.
  public let description: String

  /// Reads an identifier; nil when the text is none.
  ///
  /// Small letters are taken for capital ones.
  public init?(_ description: String) {
    let text = description.uppercased()
    guard text.utf8.count == Self.length, text.utf8.allSatisfy(Self.alphabet.contains),
      let first = text.utf8.first, first <= UInt8(ascii: "7")
    else { return nil }
    self.description = text
  }

  /// Makes a new identifier, by the system's chance.
  ///
  /// - Parameter date: the wall time of the start; clamped to what 48 bits of milliseconds can tell.
  public init(at date: Date) {
    // Not over a generator: the system's is an empty value, which has no address, and the thread
    // sanitizer takes whatever it is given for one.
    self.init(at: date, slot: nil)
  }

  /// Makes a new identifier, by the system's chance.
  ///
  /// - Parameter slot: the slot that it carries; nil for one by chance.
  package init(at date: Date, slot: UInt16?) {
    let words = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))
    self.init(at: date, slot: slot ?? UInt16(truncatingIfNeeded: words.0), rest: words.1)
  }

  /// Makes a new identifier, by chance that can be repeated.
  ///
  /// - Parameters:
  ///   - date: the wall time of the start; clamped to what 48 bits of milliseconds can tell.
  ///   - generator: the source of chance.
  public init(at date: Date, using generator: inout some RandomNumberGenerator) {
    self.init(at: date, slot: nil, using: &generator)
  }

  /// Makes a new identifier.
  ///
  /// - Parameter slot: the slot that it carries; nil for one by chance.
  package init(
    at date: Date, slot: UInt16?, using generator: inout some RandomNumberGenerator
  ) {
    let chance = UInt16.random(in: 0...UInt16.max, using: &generator)
    let rest = UInt64.random(in: 0...UInt64.max, using: &generator)
    self.init(at: date, slot: slot ?? chance, rest: rest)
  }

  private init(at date: Date, slot: UInt16, rest: UInt64) {
    let milliseconds = min(max(date.timeIntervalSince1970 * 1000, 0), 281_474_976_710_655)
    let high = UInt64(milliseconds.isNaN ? 0 : milliseconds) << 16 | UInt64(slot)
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

  /// Where the run belongs when runs are spread over several journals.
  ///
  /// It is the same for all runs of a flow that a runner has started with the same concurrency key, or
  /// without one with the same key; for those without any it is by chance. A child has its parent's.
  package var slot: UInt16 {
    // The bits from 64 to 79: four groups of five, without the last four bits of these.
    var bits: UInt32 = 0
    for character in Array(description.utf8)[10...13] {
      bits = bits << 5 | UInt32(Self.alphabet.firstIndex(of: character) ?? 0)
    }
    return UInt16(truncatingIfNeeded: bits >> 4)
  }

  /// The slot of all runs of a flow with a key; never to be changed, as journals keep it: FNV-1a, folded.
  package static func slot(of flow: String, key: String) -> UInt16 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in Array(flow.utf8) + [0] + Array(key.utf8) {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return UInt16(truncatingIfNeeded: hash ^ hash >> 16 ^ hash >> 32 ^ hash >> 48)
  }

  private static let length = 26
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// Whether a run was started before another, as far as their wall clocks agreed.
  public static func < (left: Self, right: Self) -> Bool {
    left.description < right.description
  }
}

extension RunID: Codable {
  /// Reads the identifier from a string.
  ///
  /// - Throws: `DecodingError` when the string is no identifier.
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
