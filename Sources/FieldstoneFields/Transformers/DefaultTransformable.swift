public import Foundation

/// A type with a default JSON form, which its fields use unless they have another transformer.
///
/// Enums with raw values of `String` or `Int` adopt it without further code:
///
/// ```swift
/// enum Surface: String, DefaultTransformable { case asphalt, grass }
/// ```
///
/// Numbers are strict: a string is not a number, and a number that does not fit is malformed.
///
/// It is used from any isolation. Where a module is isolated to the main actor by default, an enum
/// needs nothing more; other types declare their transformer `nonisolated`.
public protocol DefaultTransformable: SendableMetatype {
  /// The transformer of fields that have no other one.
  static var defaultTransformer: FieldTransformer<Self> { get }
}

extension DefaultTransformable where Self: RawRepresentable, RawValue == String {
  /// By raw value.
  public static var defaultTransformer: FieldTransformer<Self> { .rawValue }
}

extension DefaultTransformable where Self: RawRepresentable, RawValue == Int {
  /// By raw value.
  public static var defaultTransformer: FieldTransformer<Self> { .rawValue }
}

extension Array: DefaultTransformable where Element: DefaultTransformable {
  /// An array whose elements use their default transformer.
  public static var defaultTransformer: FieldTransformer<[Element]> {
    .array(of: Element.defaultTransformer)
  }
}

extension FieldTransformer {
  /// The default transformer of the type, if it has one.
  static var standard: FieldTransformer? {
    guard let type = Value.self as? any DefaultTransformable.Type else { return nil }
    func transformer<Known: DefaultTransformable>(of type: Known.Type) -> Any {
      type.defaultTransformer
    }
    return transformer(of: type) as? FieldTransformer
  }
}

extension String: DefaultTransformable {
  /// A string; a number is malformed.
  public static var defaultTransformer: FieldTransformer<String> {
    FieldTransformer("string", fromString: { $0 }, toString: { $0 })
  }
}

extension Date: DefaultTransformable {
  /// ISO 8601.
  public static var defaultTransformer: FieldTransformer<Date> { .iso8601 }
}

extension URL: DefaultTransformable {
  /// The string of a URL; one with unescaped characters is malformed.
  public static var defaultTransformer: FieldTransformer<URL> {
    FieldTransformer(
      "URL", fromString: { URL(string: $0, encodingInvalidCharacters: false) },
      toString: { $0.absoluteString })
  }
}

extension UUID: DefaultTransformable {
  /// Hexadecimal digits in groups.
  public static var defaultTransformer: FieldTransformer<UUID> {
    FieldTransformer("UUID", fromString: UUID.init(uuidString:), toString: \.uuidString)
  }
}

extension Data: DefaultTransformable {
  /// Base64, without line breaks.
  public static var defaultTransformer: FieldTransformer<Data> {
    FieldTransformer(
      "base64", fromString: { Data(base64Encoded: $0) }, toString: { $0.base64EncodedString() })
  }
}

extension Bool: DefaultTransformable {
  /// A boolean; 0 and 1 are malformed.
  public static var defaultTransformer: FieldTransformer<Bool> {
    FieldTransformer("boolean") { json in
      if case .bool(let value) = json { value } else { nil }
    } to: {
      .bool($0)
    }
  }
}

extension DefaultTransformable where Self: FixedWidthInteger & Sendable {
  /// A whole number that fits; 3.0 is one, 3.5 is not.
  ///
  /// A number out of the range of the type is malformed. JSON holds 64 bits with a sign: a larger
  /// `UInt` or `UInt64` can't be written.
  public static var defaultTransformer: FieldTransformer<Self> {
    FieldTransformer("integer") { json in
      json.wholeNumber.flatMap(Self.init(exactly:))
    } to: { value in
      guard let number = Int64(exactly: value) else {
        throw FieldIssue.notRepresentable("\(value)", expected: "integer")
      }
      return .integer(number)
    }
  }
}

extension Int: DefaultTransformable {}
extension Int8: DefaultTransformable {}
extension Int16: DefaultTransformable {}
extension Int32: DefaultTransformable {}
extension Int64: DefaultTransformable {}
extension UInt: DefaultTransformable {}
extension UInt8: DefaultTransformable {}
extension UInt16: DefaultTransformable {}
extension UInt32: DefaultTransformable {}
extension UInt64: DefaultTransformable {}

extension Double: DefaultTransformable {
  /// A number; an integer beyond 2⁵³ is rounded.
  ///
  /// Infinity and NaN can't be written.
  public static var defaultTransformer: FieldTransformer<Double> {
    FieldTransformer("number") {
      $0.number
    } to: { value in
      guard value.isFinite else {
        throw FieldIssue.notRepresentable("\(value)", expected: "number")
      }
      return .double(value)
    }
  }
}

extension Float: DefaultTransformable {
  /// A number, rounded to a float; one that is too large is malformed.
  ///
  /// It is written with as few digits as a float needs.
  public static var defaultTransformer: FieldTransformer<Float> {
    FieldTransformer("number") { json in
      json.number.map(Float.init).flatMap { $0.isFinite ? $0 : nil }
    } to: { value in
      guard value.isFinite else {
        throw FieldIssue.notRepresentable("\(value)", expected: "number")
      }
      // Widened bit by bit, 0.1 would be written as 0.10000000149011612.
      guard let short = Double("\(value)"), Float(short) == value else {
        return .double(Double(value))
      }
      return .double(short)
    }
  }
}

extension Decimal: DefaultTransformable {
  /// A decimal number, written as a string so that no digit is lost; numbers are read, too.
  ///
  /// A number with more than 38 digits is truncated. A NaN can't be written.
  public static var defaultTransformer: FieldTransformer<Decimal> {
    FieldTransformer("decimal") { json in
      switch json {
      case .integer(let value): Decimal(value)
      case .double(let value): decimal("\(value)")
      case .string(let text): decimal(text)
      default: nil
      }
    } to: { value in
      guard value.isFinite else {
        throw FieldIssue.notRepresentable("\(value)", expected: "decimal")
      }
      return .string("\(value)")
    }
  }

  /// Foundation reads as far as it understands and ignores the rest, so the form is checked here.
  private static func decimal(_ text: String) -> Decimal? {
    var reader = DigitReader(text)
    _ = reader.skip("-")
    guard reader.skipDigits() else { return nil }
    if reader.skip("."), !reader.skipDigits() { return nil }
    if reader.skip("e") || reader.skip("E") {
      _ = reader.skip("-") || reader.skip("+")
      guard reader.skipDigits() else { return nil }
    }
    guard reader.isAtEnd, let value = Decimal(string: text), value.isFinite else { return nil }
    return value
  }
}

extension JSONValue {
  /// A number that has no fraction and fits.
  fileprivate var wholeNumber: Int64? {
    switch self {
    case .integer(let value): value
    case .double(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// A finite number.
  fileprivate var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value) where value.isFinite: value
    default: nil
    }
  }
}
