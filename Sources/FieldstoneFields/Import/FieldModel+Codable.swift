extension FieldModel {
  /// Sets the fields to what a decoder has, as ``importValues(_:)`` does; for a model's
  /// `init(from:)`.
  ///
  /// Malformed values do not throw: they are in the report, and their fields have the issues. What
  /// dates and data look like is said by transformers, not by the decoder's strategies.
  ///
  /// - Throws: `DecodingError` when there is nothing with keys, and ``FieldModelError`` when fields
  ///   have no key or share one.
  @discardableResult
  public func decodeFields(from decoder: any Decoder) throws -> ImportReport {
    try KeyedFields(fields).importing(try ImportedObject(from: decoder))
  }

  /// Writes the fields to an encoder, as ``exportValues(nil:)`` gives them; for a model's
  /// `encode(to:)`.
  ///
  /// - Parameters:
  ///   - encoder: what is written to.
  ///   - nilExport: what is written for a field that is known to be nil.
  /// - Throws: ``FieldModelError``, and what the encoder throws.
  public func encodeFields(
    to encoder: any Encoder, nil nilExport: NilExport = .omitted
  ) throws {
    let values = try exportValues(nil: nilExport)
    var container = encoder.container(keyedBy: ImportKey.self)
    for (key, value) in values { try container.encode(value, forKey: ImportKey(key)) }
  }
}
