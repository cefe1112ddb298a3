public import Foundation

/// A named value by which a run can be found, in addition to its key.
///
/// ```swift
/// RunOptions(attributes: ["customer": "ada", "amount": 1_299, "isGift": true])
/// ```
public enum RunAttribute: Sendable, Hashable {
  /// A text; two texts are equal if their bytes are.
  case string(String)
  /// A whole number.
  case integer(Int)
  /// A point in time.
  case date(Date)
  /// True or false.
  case boolean(Bool)

  /// Two texts are equal if their bytes are, as in a database.
  public static func == (left: Self, right: Self) -> Bool {
    left.stored.utf8.elementsEqual(right.stored.utf8)
  }

  /// Hashes the compared values.
  public func hash(into hasher: inout Hasher) {
    for byte in stored.utf8 { hasher.combine(byte) }
  }
}

extension RunAttribute: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral
{
  /// Makes a text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes a number.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// Makes a Boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension RunAttribute: Codable {
  /// Reads the text that `encode(to:)` writes.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = Self(stored: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "This is no attribute.")
    }
    self = value
  }

  /// Writes a text of the kind and the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stored)
  }
}

extension RunAttribute {
  /// The kind and the value, in the form that a journal stores and compares.
  package var stored: String {
    switch self {
    case .string(let text): "s:\(text)"
    case .integer(let number): "i:\(number)"
    case .date(let date): "d:\(date.timeIntervalSinceReferenceDate + 0)"
    case .boolean(let isSo): isSo ? "b:1" : "b:0"
    }
  }

  package init?(stored: String) {
    // By bytes: a combining accent after the colon would form one character with it.
    let value = String(decoding: stored.utf8.dropFirst(2), as: UTF8.self)
    switch String(decoding: stored.utf8.prefix(2), as: UTF8.self) {
    case "s:": self = .string(value)
    case "i:":
      guard let number = Int(value) else { return nil }
      self = .integer(number)
    case "d:":
      guard let seconds = Double(value) else { return nil }
      self = .date(Date(timeIntervalSinceReferenceDate: seconds))
    case "b:": self = .boolean(value == "1")
    default: return nil
    }
  }
}

/// Dictionaries as journals store them in a column; nil for an empty one.
package enum StoredDictionary {
  package static func text<Value: Encodable>(_ values: [String: Value]) -> String? {
    guard !values.isEmpty else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(values)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// - Returns: nil if the text is damaged.
  package static func values<Value: Decodable>(_ text: String?) -> [String: Value]? {
    guard let text else { return [:] }
    return try? JSONDecoder().decode([String: Value].self, from: Data(text.utf8))
  }
}
