public import Foundation

/// Encodes and decodes stages, completions and signals as the JSON of a journal.
///
/// Keys are sorted, so that equal values have equal bytes, except those with a `Set` or a dictionary
/// whose keys are neither strings nor integers: these are written in any order. Dates are seconds since the beginning of
/// 2001 in UTC, the default of `JSONEncoder`. Unlike ISO 8601 this keeps every bit of a `Date`, so
/// a decoded stage equals the encoded one.
public enum StageJSON {
  // Both are classes, which no code changes after their setup.
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
  /// - Throws: `DecodingError`; ``PayloadError`` for a payload that its journal could not decode.
  public static func value<Value: Decodable>(
    _ type: Value.Type = Value.self, from json: Data
  ) throws -> Value {
    try PayloadEnvelope.check(json)
    return try decoder.decode(type, from: json)
  }

  /// The name of an enum's case, as written by its synthesised conformance; nil for other JSON.
  ///
  /// It is the only key of an object, or a string for cases with raw values.
  public static func caseName(of json: Data) -> String? {
    guard let value = try? JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
    else { return nil }
    if let object = value as? [String: Any] {
      return object.count == 1 ? object.keys.first : nil
    }
    return value as? String
  }

  /// Decodes the associated values of an enum's case: the object under its name, as another type.
  ///
  /// Labels are keys; values without one are `_0`, `_1` and so on.
  ///
  /// - Throws: `DecodingError`, also if the JSON is not that of an enum's case; ``PayloadError``
  ///   for a payload that its journal could not decode.
  public static func caseValues<Value: Decodable>(
    _ type: Value.Type = Value.self, of json: Data
  ) throws -> Value {
    try PayloadEnvelope.check(json)
    let cases = try decoder.decode([String: Value].self, from: json)
    guard cases.count == 1, let (_, value) = cases.first else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [], debugDescription: "The JSON has \(cases.count) keys, not one case."))
    }
    return value
  }
}
