public import Foundation

extension JSONValue {
  /// Reads JSON text.
  ///
  /// - Parameter data: the text in UTF-8.
  /// - Throws: why it can't be read.
  public init(data: Data) throws(JSONValueError) {
    self = try Self.decode(JSONValue.self, from: data)
  }

  /// Writes JSON text in UTF-8.
  ///
  /// - Parameter formatting: keys are sorted unless said otherwise, so that equal values give equal
  ///   text.
  /// - Throws: `tooDeep`, and `numberOutOfRange` for infinity and what is no number.
  public func data(
    formatting: JSONEncoder.OutputFormatting = .sortedKeys
  ) throws(JSONValueError) -> Data {
    guard !isDeeper(than: Self.depthLimit) else { throw .tooDeep }
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    do {
      return try encoder.encode(self)
    } catch {
      // With the depth known, numbers that JSON can't write are all that an encoder refuses.
      guard case EncodingError.invalidValue(_, let context) = error else { throw .tooDeep }
      throw .numberOutOfRange(path: context.codingPath.map(\.stringValue))
    }
  }

  /// Decodes with Foundation's decoder and says why it failed in our terms.
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
      // The decoder calls text that is nested too deeply for it invalid.
      throw depth(of: data) > depthLimit ? .tooDeep : .notJSON(detail: "\(error)")
    }
  }

  /// How deeply brackets are nested in JSON text, valid or not; no stack is needed to know.
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
