public import Foundation

/// A conversion between values and the bytes of a file.
public struct FileCodec<Value>: Sendable {
  package let encode: @Sendable (Value) throws -> Data
  package let decode: @Sendable (Data) throws -> Value

  /// Makes a custom codec.
  ///
  /// Both closures run off the main actor, outside any lock of this process.
  ///
  /// - Parameters:
  ///   - encode: returns the bytes. If it throws, the file stays unchanged.
  ///   - decode: returns the value. If it throws, the file counts as corrupt, so it should throw
  ///     for all bytes that `encode` can't have written.
  public init(
    encode: @escaping @Sendable (Value) throws -> Data,
    decode: @escaping @Sendable (Data) throws -> Value
  ) {
    self.encode = encode
    self.decode = decode
  }
}

extension FileCodec where Value: Codable & Sendable {
  /// Readable JSON that suits version control: indented, with sorted keys and unescaped slashes.
  ///
  /// Equal values give equal files. Dates are numbers, in seconds since 2001, so that no fraction
  /// is lost. Infinity and NaN throw. For other formats, make a codec with your own `JSONEncoder`.
  public static var json: FileCodec {
    FileCodec(
      encode: { value in
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value) + "\n".utf8Data
      },
      decode: { data in try JSONDecoder().decode(Value.self, from: data) })
  }

  /// A property list, written in the binary or the XML form; both forms are read.
  ///
  /// The XML form has whole seconds: it leaves fractions out of dates.
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
