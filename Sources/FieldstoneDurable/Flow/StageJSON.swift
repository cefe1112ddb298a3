public import Foundation

/// Stages, completions and signals as the JSON that is in the journal.
///
/// Keys are sorted, so that equal values have equal bytes. Dates are numbers, seconds since the
/// first moment of 2001 in UTC, as `JSONEncoder` has it by default: that keeps every bit of a
/// `Date`, which ISO 8601 does not, so a stage that is read back equals the one that was written.
public enum StageJSON {
  // Both are classes that no code changes once they are set up.
  private static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()
  private static let decoder = JSONDecoder()

  /// The JSON of a value.
  ///
  /// - Throws: `EncodingError`.
  public static func data(of value: some Encodable) throws -> Data {
    try encoder.encode(value)
  }

  /// Reads a value.
  ///
  /// - Throws: `DecodingError`.
  public static func value<Value: Decodable>(
    _ type: Value.Type = Value.self, from json: Data
  ) throws -> Value {
    try decoder.decode(type, from: json)
  }

  /// The name of an enum's case, as its synthesised conformance writes it; nil for other JSON.
  ///
  /// That is the only key of an object, or a string where the cases are raw values.
  public static func caseName(of json: Data) -> String? {
    guard let value = try? JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
    else { return nil }
    if let object = value as? [String: Any] {
      return object.count == 1 ? object.keys.first : nil
    }
    return value as? String
  }

  /// What an enum's case holds: the object under its name, read as another type.
  ///
  /// Labels are keys; values without one are `_0`, `_1` and so on.
  ///
  /// - Throws: `DecodingError`, also when the JSON is not that of an enum's case.
  public static func caseValues<Value: Decodable>(
    _ type: Value.Type = Value.self, of json: Data
  ) throws -> Value {
    let cases = try decoder.decode([String: Value].self, from: json)
    guard cases.count == 1, let (_, value) = cases.first else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [], debugDescription: "The JSON has \(cases.count) keys, not one case."))
    }
    return value
  }
}
