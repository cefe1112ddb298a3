extension FieldTransformer
where Value: RawRepresentable & SendableMetatype, Value.RawValue == String {
  /// An enum by its raw value; one that the enum has no case for is an issue `unknownValue`.
  public static var rawValue: FieldTransformer { rawValue(through: String.defaultTransformer) }
}

extension FieldTransformer where Value: RawRepresentable & SendableMetatype, Value.RawValue == Int {
  /// An enum by its raw value; one that the enum has no case for is an issue `unknownValue`.
  public static var rawValue: FieldTransformer { rawValue(through: Int.defaultTransformer) }
}

extension FieldTransformer where Value: RawRepresentable & SendableMetatype {
  private static func rawValue(
    through raw: FieldTransformer<Value.RawValue>
  ) -> FieldTransformer {
    FieldTransformer(
      name: raw.name,
      importing: { json in
        guard let rawValue = try raw.importing(json) else { return nil }
        guard let value = Value(rawValue: rawValue) else {
          throw FieldIssue.unknownValue("\(rawValue)")
        }
        return value
      },
      exporting: { try raw.exporting($0.rawValue) })
  }
}
