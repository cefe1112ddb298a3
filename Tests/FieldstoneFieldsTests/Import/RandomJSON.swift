import FieldstoneFields
import FieldstoneTesting
import Foundation

/// Random JSON: values of every kind, many of them at the edges of what types hold.
struct RandomJSON {
  var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  static let strings = [
    "", " ", "3", "-1e5", "NaN", "grass", "Grass", "1", "2026-02-03", "2026-02-03T10:15:30Z",
    "2026-02-03T10:15:30.123456789123456789+23:59", "9999-99-99T99:99:99Z", "https://a.example",
    "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "AQID", "====", "é", "👩‍👩‍👧", "\u{0}", "1e999", "0.1",
    String(repeating: "9", count: 500), String(repeating: "x", count: 5_000),
  ]
  static let doubles: [Double] = [
    0.5, -0.0, 1e300, -1e300, 0x1p63, -0x1p63, 0x1p53, 3.5, .greatestFiniteMagnitude,
    .leastNonzeroMagnitude, .nan, .infinity, -.infinity, 1e19,
  ]
  static let integers: [Int64] = [0, 1, -1, 2, 3, .max, .min, 1 << 53, 255, 256]

  mutating func value(depth: Int = 0) -> JSONValue {
    switch Int.random(in: 0..<(depth > 5 ? 7 : 10), using: &random) {
    case 0: return nil
    case 1: return .bool(.random(using: &random))
    case 2: return .integer(Self.integers.randomElement(using: &random) ?? 0)
    case 3: return .integer(Int64(bitPattern: random.next()))
    case 4: return .double(Self.doubles.randomElement(using: &random) ?? 0)
    case 5: return .double(Double(bitPattern: random.next()))
    case 6: return .string(Self.strings.randomElement(using: &random) ?? "")
    case 7: return .array(values(depth: depth + 1))
    case 8:
      let keys = values(depth: 9).enumerated().map { "k\($0.offset)" }
      return .object(
        Dictionary(uniqueKeysWithValues: keys.map { ($0, value(depth: depth + 1)) }))
    default: return deep()
    }
  }

  /// Arrays as they fit types: all elements of one kind.
  private mutating func values(depth: Int) -> [JSONValue] {
    let count = Int.random(in: 0..<4, using: &random)
    if Bool.random(using: &random) {
      return Array(repeating: value(depth: depth + 5), count: count)
    }
    return (0..<count).map { _ in value(depth: depth) }
  }

  /// A value that is nested as deep as it may be, or deeper.
  private mutating func deep() -> JSONValue {
    var value: JSONValue = 1
    for _ in 0..<Int.random(in: 1..<200, using: &random) {
      value = Bool.random(using: &random) ? [value] : ["d": value]
    }
    return value
  }

  /// JSON text of an object with some of the keys, or what a broken line leaves of it.
  mutating func text(keys: [String]) -> [UInt8] {
    var members: [String] = []
    for key in keys where Bool.random(using: &random) {
      members.append("\"\(key)\":\(scrap())")
    }
    var bytes = Array("{\(members.joined(separator: ","))}".utf8)
    for _ in 0..<max(0, Int.random(in: -4..<4, using: &random)) where !bytes.isEmpty {
      let index = Int.random(in: 0..<bytes.count, using: &random)
      if Bool.random(using: &random) {
        bytes[index] = UInt8(truncatingIfNeeded: random.next())
      } else {
        bytes.removeSubrange(index...)
      }
    }
    return bytes
  }

  private mutating func scrap() -> String {
    let odd = [
      "1e400", "-1e400", "\"\\ud800\"", "1e-400", "1234567890123456789012345678901234567890", "-",
      "\"\\u0000\"", "[1e400]", "01", "[[]", "tru",
    ]
    if Int.random(in: 0..<4, using: &random) == 0 { return odd.randomElement(using: &random) ?? "" }
    if Int.random(in: 0..<20, using: &random) == 0 {
      let depth = Int.random(in: 60..<600, using: &random)
      return String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    let value = value()
    return (try? value.data()).map { String(decoding: $0, as: UTF8.self) } ?? "0.25"
  }
}
