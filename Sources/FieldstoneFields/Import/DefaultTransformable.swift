/// A type whose values have one usual form outside, which fields of it use unless told otherwise.
///
/// Enums with raw values of `String` or `Int` adopt it without a line more:
///
/// ```swift
/// enum Surface: String, DefaultTransformable { case asphalt, grass }
/// ```
///
/// Numbers are strict: a string is no number, and what does not fit is malformed.
///
/// It is used from any isolation. Where a module is isolated to the main actor by default, an enum
/// needs nothing more; another type declares its transformer `nonisolated`.
public protocol DefaultTransformable: SendableMetatype {
  /// The transformer for fields that were not given one.
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
  /// An array of what the elements' own transformer makes.
  public static var defaultTransformer: FieldTransformer<[Element]> {
    .array(of: Element.defaultTransformer)
  }
}

extension FieldTransformer {
  /// The default of the type, if it has one.
  static var standard: FieldTransformer? {
    guard let type = Value.self as? any DefaultTransformable.Type else { return nil }
    func transformer<Known: DefaultTransformable>(of type: Known.Type) -> Any {
      type.defaultTransformer
    }
    return transformer(of: type) as? FieldTransformer
  }
}
