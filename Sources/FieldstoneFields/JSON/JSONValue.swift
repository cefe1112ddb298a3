public import FieldstoneCore

/// A JSON value, before it is converted to a type.
///
/// Transformers read and write it. JSON has one kind of number. Here a whole number that fits is an
/// ``integer(_:)`` however it was written (`3`, `3.0`, `3e0`), and any other is a ``double(_:)``.
///
/// Comparing, hashing and releasing visit the whole value, as with nested arrays. Values that were
/// read from outside are never nested deeper than ``depthLimit``.
public enum JSONValue: Sendable, Hashable {
  /// The null of JSON.
  case null
  /// True or false.
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// Any other number.
  case double(Double)
  /// A text.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Values by key; the order of keys has no meaning.
  case object([String: JSONValue])

  /// The number of arrays and objects that may be nested in each other: 64.
  ///
  /// Foundation's decoder and encoder need up to four kilobytes of stack for each level, and
  /// threads may have only 512 kilobytes. They would overflow, which can't be caught, long before
  /// the 512 levels at which Foundation itself gives up.
  public static var depthLimit: Int { 64 }
}

extension JSONValue {
  /// Whether arrays and objects are nested in each other more deeply than this.
  func isDeeper(than levels: Int) -> Bool {
    switch self {
    case .null, .bool, .integer, .double, .string: false
    case .array(let values): levels == 0 || values.contains { $0.isDeeper(than: levels - 1) }
    case .object(let values):
      levels == 0 || values.values.contains { $0.isDeeper(than: levels - 1) }
    }
  }

  /// A short description for messages, even of a long value.
  var summary: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): value.count > 40 ? "\"\(value.prefix(40))…\"" : "\"\(value)\""
    case .array(let values): "array (\(values.count))"
    case .object(let values): "object (\(values.count))"
    }
  }
}

extension JSONValue: ExpressibleByNilLiteral {
  /// Null.
  public init(nilLiteral: ()) {
    self = .null
  }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  /// A boolean.
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  /// An integer.
  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }
}

extension JSONValue: ExpressibleByFloatLiteral {
  /// A double, even if it is whole.
  public init(floatLiteral value: Double) {
    self = .double(value)
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// A string.
  public init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension JSONValue: ExpressibleByArrayLiteral {
  /// An array.
  public init(arrayLiteral elements: JSONValue...) {
    self = .array(elements)
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// An object; the last value of a repeated key counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}

/// The reason why something can't be read as JSON or written as JSON.
public enum JSONValueError: DescribedError, Hashable {
  /// The data is not JSON; the detail is the decoder's.
  case notJSON(detail: String)
  /// The outermost value is not an object, where one with the fields' keys is needed.
  case notAnObject
  /// Arrays and objects are nested in each other more than ``JSONValue/depthLimit`` times.
  case tooDeep
  /// A number does not fit: it is not finite, or larger than a `Double` can be.
  case numberOutOfRange(path: [String])
  /// A string is not well-formed Unicode.
  case malformedString(path: [String])
  /// The object has a type that JSON can't hold; the path leads to it.
  case unsupportedType(String, path: [String])

  /// The problem and its remedy.
  public var message: String {
    switch self {
    case .notJSON(let detail):
      "This is not JSON (\(detail)); check that all of the data has arrived, in UTF-8."
    case .notAnObject:
      "The JSON holds no object; send one whose keys are those of the fields."
    case .tooDeep:
      "The value is nested deeper than \(JSONValue.depthLimit) levels; make it flatter."
    case .numberOutOfRange(let path):
      "The number\(Self.place(path)) does not fit into a double; send it as a string."
    case .malformedString(let path):
      "The string\(Self.place(path)) is no well-formed Unicode; check its escapes."
    case .unsupportedType(let type, let path):
      "A \(type)\(Self.place(path)) has no place in JSON; convert it to a string or a number first."
    }
  }

  private static func place(_ path: [String]) -> String {
    path.isEmpty ? "" : " at \(path.joined(separator: "."))"
  }
}
