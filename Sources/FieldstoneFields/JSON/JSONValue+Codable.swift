public import Foundation

extension JSONValue: Codable {
  /// Reads any value from any decoder.
  ///
  /// - Throws: ``JSONValueError`` for a value that can't be represented or is nested too deeply,
  ///   and `DecodingError` from decoders of formats that hold more than JSON does.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.singleValueContainer() {
      if container.decodeNil() {
        self = .null
        return
      }
      if let value = try Self.string(container) ?? Self.bool(container) ?? Self.number(container) {
        self = value
        return
      }
    }
    // From here on it can only be a container; the path's length is its depth.
    guard decoder.codingPath.count < Self.depthLimit else { throw JSONValueError.tooDeep }
    if var container = try? decoder.unkeyedContainer() {
      var values: [JSONValue] = []
      while !container.isAtEnd { values.append(try container.decode(JSONValue.self)) }
      self = .array(values)
    } else {
      // As a dictionary, so that a decoder's key strategy does not change keys inside of values.
      self = .object(try decoder.singleValueContainer().decode([String: JSONValue].self))
    }
  }

  private static func string(_ container: any SingleValueDecodingContainer) throws -> JSONValue? {
    do {
      return .string(try container.decode(String.self))
    } catch  where isMismatch(error) {
      return nil
    } catch {
      throw JSONValueError.malformedString(path: container.codingPath.map(\.stringValue))
    }
  }

  private static func bool(_ container: any SingleValueDecodingContainer) throws -> JSONValue? {
    (try? container.decode(Bool.self)).map(JSONValue.bool)
  }

  private static func number(_ container: any SingleValueDecodingContainer) throws -> JSONValue? {
    if let value = try? container.decode(Int64.self) { return .integer(value) }
    do {
      return .double(try container.decode(Double.self))
    } catch  where isMismatch(error) {
      return nil
    } catch {
      throw JSONValueError.numberOutOfRange(path: container.codingPath.map(\.stringValue))
    }
  }

  /// Whether there is a value of another type; any other error concerns the value itself.
  private static func isMismatch(_ error: any Error) -> Bool {
    if case DecodingError.typeMismatch = error { true } else { false }
  }

  /// Writes the value to any encoder.
  ///
  /// - Throws: ``JSONValueError/tooDeep``, and what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let values):
      guard encoder.codingPath.count < Self.depthLimit else { throw JSONValueError.tooDeep }
      try container.encode(values)
    case .object(let values):
      guard encoder.codingPath.count < Self.depthLimit else { throw JSONValueError.tooDeep }
      try container.encode(values)
    }
  }
}

extension JSONValue {
  /// Reads JSON text.
  ///
  /// - Parameter data: the text in UTF-8.
  /// - Throws: the reason why it can't be read.
  public init(data: Data) throws(JSONValueError) {
    self = try Self.decode(JSONValue.self, from: data)
  }

  /// Writes JSON text in UTF-8.
  ///
  /// - Parameter formatting: keys are sorted by default, so that equal values give equal text.
  /// - Throws: `tooDeep`, and `numberOutOfRange` for infinity and NaN.
  public func data(
    formatting: JSONEncoder.OutputFormatting = .sortedKeys
  ) throws(JSONValueError) -> Data {
    guard !isDeeper(than: Self.depthLimit) else { throw .tooDeep }
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    do {
      return try encoder.encode(self)
    } catch {
      // The depth was checked, so the encoder only refuses numbers that JSON can't write.
      guard case EncodingError.invalidValue(_, let context) = error else { throw .tooDeep }
      throw .numberOutOfRange(path: context.codingPath.map(\.stringValue))
    }
  }

  /// Decodes with Foundation's decoder, and translates its errors.
  static func decode<Result: Decodable>(
    _ type: Result.Type, from data: Data
  ) throws(JSONValueError) -> Result {
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch let error as JSONValueError {
      throw error
    } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
      throw .notAnObject
    } catch {
      // The decoder reports text that is nested too deeply as invalid.
      throw depth(of: data) > depthLimit ? .tooDeep : .notJSON(detail: "\(error)")
    }
  }

  /// The depth of brackets in JSON text, valid or not; it needs no stack.
  private static func depth(of data: Data) -> Int {
    var (depth, deepest) = (0, 0)
    var (isInString, isEscaped) = (false, false)
    for byte in data {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isInString: isEscaped = true
      case UInt8(ascii: "\""): isInString.toggle()
      case _ where isInString: break
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
    return deepest
  }
}
