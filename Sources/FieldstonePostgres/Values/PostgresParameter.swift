#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  /// A parameter of a statement, in PostgreSQL's binary format.
  struct PostgresParameter: Sendable {
    /// The object identifier of a type in the server's catalogue, which never changes.
    enum Kind: UInt32 {
      case boolean = 16
      case bytes = 17
      case integer = 20
      case text = 25
      case date = 1184
      case identifier = 2950

      var array: UInt32 {
        switch self {
        case .boolean: 1000
        case .bytes: 1001
        case .integer: 1016
        case .text: 1009
        case .date: 1185
        case .identifier: 2951
        }
      }
    }

    let type: UInt32
    /// Nil for NULL.
    let bytes: [UInt8]?
  }

  extension PostgresParameter {
    private init(_ kind: Kind, _ bytes: [UInt8]?) {
      self.init(type: kind.rawValue, bytes: bytes)
    }

    static func integer(_ value: Int) -> Self { Self(.integer, Int64(value).bigEndianBytes) }
    static var noInteger: Self { Self(.integer, nil) }
    static var noBoolean: Self { Self(.boolean, nil) }
    static var noBytes: Self { Self(.bytes, nil) }
    static func boolean(_ value: Bool) -> Self { Self(.boolean, [value ? 1 : 0]) }
    static func text(_ value: String?) -> Self { Self(.text, value.map(textBytes)) }
    static func date(_ value: Date?) -> Self { Self(.date, value?.stored.bigEndianBytes) }
    static func identifier(_ value: RunID?) -> Self { Self(.identifier, value?.bytes) }
    static func bytes(_ value: Data) -> Self { Self(.bytes, Array(value)) }

    static func integers(_ values: [Int?]) -> Self {
      array(.integer, values.map { $0.map { Int64($0).bigEndianBytes } })
    }
    static func texts(_ values: [String?]) -> Self {
      array(.text, values.map { $0.map(textBytes) })
    }
    static func dates(_ values: [Date?]) -> Self {
      array(.date, values.map { $0?.stored.bigEndianBytes })
    }
    static func identifiers(_ values: [RunID]) -> Self { array(.identifier, values.map(\.bytes)) }
    static func byteStrings(_ values: [Data]) -> Self { array(.bytes, values.map { Array($0) }) }

    /// An array of parameters of one type.
    static func array(of first: Self, _ values: [Self]) -> Self {
      guard let kind = Kind(rawValue: first.type) else { return first }
      return array(kind, values.map(\.bytes))
    }

    private static func array(_ kind: Kind, _ values: [[UInt8]?]) -> Self {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(20 + values.reduce(0) { $0 + 4 + ($1?.count ?? 0) })
      func append(_ number: Int32) { bytes += number.bigEndianBytes }
      append(values.isEmpty ? 0 : 1)
      append(values.contains { $0 == nil } ? 1 : 0)
      append(Int32(bitPattern: kind.rawValue))
      if !values.isEmpty {
        append(Int32(truncatingIfNeeded: values.count))
        append(1)
      }
      for value in values {
        append(Int32(truncatingIfNeeded: value?.count ?? -1))
        if let value { bytes += value }
      }
      return Self(type: kind.array, bytes: bytes)
    }

    /// PostgreSQL's texts can't contain NUL; names and keys with NUL are refused earlier.
    private static func textBytes(_ text: String) -> [UInt8] {
      text.utf8.contains(0) ? Array(text.replacing("\0", with: "␀").utf8) : Array(text.utf8)
    }
  }

  extension FixedWidthInteger {
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
  }
#endif
