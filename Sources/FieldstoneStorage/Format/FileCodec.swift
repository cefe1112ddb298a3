public import Foundation

/// How a value becomes the bytes of a file, and back.
public struct FileCodec<Value>: Sendable {
  package let encode: @Sendable (Value) throws -> Data
  package let decode: @Sendable (Data) throws -> Value

  /// Makes a codec of one's own.
  ///
  /// Both closures run off the main actor, outside of any lock of this process.
  ///
  /// - Parameters:
  ///   - encode: gives the bytes; what it throws leaves the file alone.
  ///   - decode: gives the value; what it throws makes the file count as corrupt, so it should
  ///     throw for all that `encode` would not have written.
  public init(
    encode: @escaping @Sendable (Value) throws -> Data,
    decode: @escaping @Sendable (Data) throws -> Value
  ) {
    self.encode = encode
    self.decode = decode
  }
}

extension FileCodec where Value: Codable & Sendable {
  /// JSON for people and for version control: indented, keys sorted, slashes as they are.
  ///
  /// The same value gives the same file. Dates are numbers, seconds since 2001, so that none loses
  /// a fraction; a number that JSON does not have (infinity) is refused. For other wishes make a
  /// codec with a `JSONEncoder` of your own.
  public static var json: FileCodec {
    FileCodec(
      encode: { value in
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value) + "\n".utf8Data
      },
      decode: { data in try JSONDecoder().decode(Value.self, from: data) })
  }

  /// A property list in its binary or, readable, in its XML form; either form is read.
  public static func propertyList(
    _ format: PropertyListSerialization.PropertyListFormat = .xml
  ) -> FileCodec {
    FileCodec(
      encode: { value in
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        return try encoder.encode(value)
      },
      decode: { data in try PropertyListDecoder().decode(Value.self, from: data) })
  }
}
