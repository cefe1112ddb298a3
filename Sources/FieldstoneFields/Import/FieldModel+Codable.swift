extension FieldModel {
  /// Sets the fields to what a decoder has, as ``importValues(_:with:)`` does; for a model's
  /// `init(from:)`.
  ///
  /// Malformed values do not throw: they are in the report, and their fields have the issues. What
  /// dates and data look like is said by transformers, not by the decoder's strategies.
  ///
  /// - Parameters:
  ///   - decoder: what is read from.
  ///   - name: the name of the transformers; fields that have none of it use their usual one.
  /// - Throws: `DecodingError` when there is nothing with keys, and ``FieldModelError`` when fields
  ///   have no key or share one.
  @discardableResult
  public func decodeFields(
    from decoder: any Decoder, with name: String? = nil
  ) throws -> ImportReport {
    try KeyedFields(fields, with: name).importing(try ImportedObject(from: decoder))
  }

  /// Writes the fields to an encoder, as ``exportValues(nil:with:)`` gives them; for a model's
  /// `encode(to:)`.
  ///
  /// - Parameters:
  ///   - encoder: what is written to.
  ///   - nilExport: what is written for a field that is known to be nil.
  ///   - name: the name of the transformers; fields that have none of it use their usual one.
  /// - Throws: ``FieldModelError``, and what the encoder throws.
  public func encodeFields(
    to encoder: any Encoder, nil nilExport: NilExport = .omitted, with name: String? = nil
  ) throws {
    let values = try exportValues(nil: nilExport, with: name)
    var container = encoder.container(keyedBy: ImportKey.self)
    for (key, value) in values { try container.encode(value, forKey: ImportKey(key)) }
  }
}
