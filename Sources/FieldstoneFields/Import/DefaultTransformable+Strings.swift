public import Foundation

extension String: DefaultTransformable {
  /// A string; numbers are none.
  public static var defaultTransformer: FieldTransformer<String> {
    FieldTransformer("string", fromString: { $0 }, toString: { $0 })
  }
}

extension Date: DefaultTransformable {
  /// ISO 8601.
  public static var defaultTransformer: FieldTransformer<Date> { .iso8601 }
}

extension URL: DefaultTransformable {
  /// A URL as it is written, with all that has to be escaped escaped.
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
