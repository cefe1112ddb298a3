/// An object made of fields, which can be imported and exported as a whole.
///
/// ```swift
/// final class Person: FieldModel, Codable {
///   let name = Field<String>("name")
///   let born = Field<Date>("born").transform(with: .date(format: "yyyy-MM-dd"))
///   var fields: [AnyField] { [name, born] }
///
///   init() {}
///   init(from decoder: any Decoder) throws { try decodeFields(from: decoder) }
///   func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }
/// }
/// ```
public protocol FieldModel: AnyObject {
  /// The fields that are imported and exported, each with a key of its own.
  ///
  /// They are taken in their `order`; those with the same, as they are listed.
  var fields: [AnyField] { get }
}

extension FieldModel {
  /// Sets the fields to the values of a dictionary, in one batch.
  ///
  /// A key that is absent leaves its field untouched, null sets it to nil, and a malformed value
  /// leaves it as it is and gives it an issue.
  ///
  /// - Parameters:
  ///   - dictionary: the values by key.
  ///   - name: the name of the transformers; fields that have none of it use their usual one.
  /// - Returns: what became of each field and each key.
  /// - Throws: when fields have no key or share one; then nothing is imported.
  @discardableResult
  public func importValues(
    _ dictionary: [String: JSONValue], with name: String? = nil
  ) throws(FieldModelError) -> ImportReport {
    try KeyedFields(fields, with: name).importing(ImportedObject(values: dictionary))
  }

  /// The fields' values by key; never one of a field of which nothing is known.
  ///
  /// A field that is being loaded again, or whose loading failed, has the value from before.
  ///
  /// - Parameters:
  ///   - nilExport: what is written for a field that is known to be nil.
  ///   - name: the name of the transformers; fields that have none of it use their usual one.
  /// - Throws: when fields have no key or share one, or a value can't be written.
  public func exportValues(
    nil nilExport: NilExport = .omitted, with name: String? = nil
  ) throws(FieldModelError) -> [String: JSONValue] {
    try KeyedFields(fields, with: name).exporting(nil: nilExport)
  }
}
