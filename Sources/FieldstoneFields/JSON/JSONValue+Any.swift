import Foundation

extension JSONValue {
  /// Converts a tree of untyped objects, such as `JSONSerialization` makes.
  ///
  /// Nil and `NSNull` become null. Booleans, numbers, strings, arrays and dictionaries with string
  /// keys become the corresponding cases, in their Swift and in their Foundation form. Numbers
  /// beyond `Int64` become doubles. Foundation's own collections are bridged before their depth is
  /// known, so they must not contain themselves.
  ///
  /// - Throws: `unsupportedType` for anything else, `numberOutOfRange` for infinity and NaN, and
  ///   `tooDeep`.
  public init(converting object: Any?) throws(JSONValueError) {
    self = try Self.convert(object, path: [])
  }

  /// The value as untyped objects: `NSNull`, `Bool`, `Int64`, `Double`, `String`, `[Any]` and
  /// `[String: Any]`.
  public var untyped: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): value
    case .integer(let value): value
    case .double(let value): value
    case .string(let value): value
    case .array(let values): values.map(\.untyped)
    case .object(let values): values.mapValues(\.untyped)
    }
  }

  private static func convert(_ object: Any?, path: [String]) throws(JSONValueError) -> JSONValue {
    // Unwraps an optional that was put into an `Any`.
    guard let object = object.unwrapped else { return .null }
    switch object {
    case let value as JSONValue: return value
    case is NSNull: return .null
    // Foundation's numbers first: they match any Swift number that they could be converted to.
    case let value as NSNumber where type(of: object) is NSNumber.Type:
      return try convert(value, path: path)
    case let value as Bool: return .bool(value)
    case let value as any BinaryInteger: return integer(value)
    case let value as any BinaryFloatingPoint: return try number(Double(value), path: path)
    case let value as any StringProtocol: return .string(String(value))
    case let value as NSString: return .string(String(value))
    case let values as [Any?]: return try convert(values, path: path)
    case let values as [String: Any?]: return try convert(values, path: path)
    default: throw .unsupportedType("\(type(of: object))", path: path)
    }
  }

  private static func convert(_ values: [Any?], path: [String]) throws(JSONValueError) -> JSONValue
  {
    guard path.count < depthLimit else { throw .tooDeep }
    var converted: [JSONValue] = []
    converted.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      converted.append(try convert(value, path: path + ["\(index)"]))
    }
    return .array(converted)
  }

  private static func convert(
    _ values: [String: Any?], path: [String]
  ) throws(JSONValueError) -> JSONValue {
    guard path.count < depthLimit else { throw .tooDeep }
    var converted: [String: JSONValue] = [:]
    for (key, value) in values { converted[key] = try convert(value, path: path + [key]) }
    return .object(converted)
  }

  private static func convert(_ value: NSNumber, path: [String]) throws(JSONValueError) -> JSONValue
  {
    // A boolean is a number of a class of its own, on every system.
    if type(of: value) == type(of: NSNumber(value: true)) { return .bool(value.boolValue) }
    // Through a double, a large integer would lose its last digits.
    if let whole = Int64(exactly: value) { return .integer(whole) }
    return try number(value.doubleValue, path: path)
  }

  private static func integer(_ value: some BinaryInteger) -> JSONValue {
    Int64(exactly: value).map(JSONValue.integer) ?? .double(Double(value))
  }

  private static func number(_ value: Double, path: [String]) throws(JSONValueError) -> JSONValue {
    guard value.isFinite else { throw .numberOutOfRange(path: path) }
    return Int64(exactly: value).map(JSONValue.integer) ?? .double(value)
  }
}

extension [String: JSONValue] {
  /// Converts a dictionary of untyped objects, such as `JSONSerialization` makes.
  ///
  /// - Throws: as ``JSONValue/init(converting:)``.
  public init(converting objects: [String: Any]) throws(JSONValueError) {
    guard case .object(let values) = try JSONValue(converting: objects) else {
      throw .notAnObject
    }
    self = values
  }
}

/// An optional of any type.
private protocol OptionalObject {
  var unwrapped: Any? { get }
}

extension Optional: OptionalObject {
  var unwrapped: Any? {
    guard let wrapped = self else { return nil }
    // Optionals may be wrapped more than once.
    if let inner = wrapped as? any OptionalObject { return inner.unwrapped }
    return wrapped
  }
}
