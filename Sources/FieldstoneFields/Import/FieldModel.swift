public import FieldstoneCore
public import Foundation

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
  /// The fields that are imported and exported, each with its own key.
  ///
  /// They are imported and exported by their `order`; those of equal order as they are listed.
  var fields: [AnyField] { get }
}

extension FieldModel {
  /// Sets the fields to the values of a dictionary, in one batch.
  ///
  /// A field whose key is absent stays untouched, and null sets it to nil. A malformed value leaves
  /// the field as it is and gives it an issue.
  ///
  /// - Parameters:
  ///   - dictionary: the values by key.
  ///   - name: the name of the transformers; fields without one of that name use their usual one.
  /// - Returns: the result for each field and each key.
  /// - Throws: when fields have no key or share one; then nothing is imported.
  @discardableResult
  public func importValues(
    _ dictionary: [String: JSONValue], with name: String? = nil
  ) throws(FieldModelError) -> ImportReport {
    try KeyedFields(fields, with: name).importing(ImportedObject(values: dictionary))
  }

  /// The values of the known fields by key.
  ///
  /// A field that is loading again, or whose loading failed, keeps its previous value.
  ///
  /// - Parameters:
  ///   - nilExport: how a field is written that is known to be nil.
  ///   - name: the name of the transformers; fields without one of that name use their usual one.
  /// - Throws: when fields have no key or share one, or a value can't be written.
  public func exportValues(
    nil nilExport: NilExport = .omitted, with name: String? = nil
  ) throws(FieldModelError) -> [String: JSONValue] {
    try KeyedFields(fields, with: name).exporting(nil: nilExport)
  }
}

extension FieldModel {
  /// Sets the fields from a decoder, as ``importValues(_:with:)`` does; for a model's
  /// `init(from:)`.
  ///
  /// Malformed values do not throw: they are in the report, and their fields have the issues.
  /// Transformers, not the decoder's strategies, define the form of dates and data.
  ///
  /// - Parameters:
  ///   - decoder: the decoder to read from.
  ///   - name: the name of the transformers; fields without one of that name use their usual one.
  /// - Throws: `DecodingError` when the decoder has no keyed container, and ``FieldModelError``
  ///   when fields have no key or share one.
  @discardableResult
  public func decodeFields(
    from decoder: any Decoder, with name: String? = nil
  ) throws -> ImportReport {
    try KeyedFields(fields, with: name).importing(try ImportedObject(from: decoder))
  }

  /// Writes the fields to an encoder, as ``exportValues(nil:with:)`` does; for `encode(to:)`.
  ///
  /// - Parameters:
  ///   - encoder: the encoder to write to.
  ///   - nilExport: how a field is written that is known to be nil.
  ///   - name: the name of the transformers; fields without one of that name use their usual one.
  /// - Throws: ``FieldModelError``, and what the encoder throws.
  public func encodeFields(
    to encoder: any Encoder, nil nilExport: NilExport = .omitted, with name: String? = nil
  ) throws {
    let values = try exportValues(nil: nilExport, with: name)
    var container = encoder.container(keyedBy: ImportKey.self)
    for (key, value) in values { try container.encode(value, forKey: ImportKey(key)) }
  }
}

extension FieldModel {
  /// Sets the fields to the values of a JSON object, as ``importValues(_:with:)`` does.
  ///
  /// A value that can't be represented, such as a number beyond a `Double`, is malformed for its
  /// field only.
  ///
  /// - Parameters:
  ///   - data: the JSON object.
  ///   - name: the name of the transformers; fields without one of that name use their usual one.
  /// - Throws: also when the data is not a JSON object; then nothing is imported.
  @discardableResult
  public func importJSON(
    _ data: Data, with name: String? = nil
  ) throws(FieldModelError) -> ImportReport {
    let keyed = try KeyedFields(fields, with: name)
    do throws(JSONValueError) {
      return keyed.importing(try JSONValue.decode(ImportedObject.self, from: data))
    } catch {
      throw .unreadable(error)
    }
  }

  /// The values of the known fields as a JSON object, as ``exportValues(nil:with:)`` writes them.
  ///
  /// - Parameters:
  ///   - nilExport: how a field is written that is known to be nil.
  ///   - name: the name of the transformers; fields without one of that name use their usual one.
  ///   - formatting: keys are sorted by default, so that equal values give equal text.
  /// - Throws: also when a transformer made a value that JSON can't hold.
  public func exportJSON(
    nil nilExport: NilExport = .omitted, with name: String? = nil,
    formatting: JSONEncoder.OutputFormatting = .sortedKeys
  ) throws(FieldModelError) -> Data {
    let object = JSONValue.object(try exportValues(nil: nilExport, with: name))
    do throws(JSONValueError) {
      return try object.data(formatting: formatting)
    } catch {
      throw .unwritable(error)
    }
  }
}

/// The result of an import for each field of a model, and for each key.
public struct ImportReport: Sendable, Hashable {
  /// The keys of the fields that were set, in the fields' order.
  public var imported: [String]

  /// The keys of the fields that were not set: absent keys, and fields that can't be set.
  public var untouched: [String]

  /// The keys that belong to no field, sorted.
  public var unknown: [String]

  /// The refused values, in the fields' order; each path begins with the field's key.
  public var issues: [FieldIssue]

  /// Makes a report; empty by default.
  public init(
    imported: [String] = [], untouched: [String] = [], unknown: [String] = [],
    issues: [FieldIssue] = []
  ) {
    self.imported = imported
    self.untouched = untouched
    self.unknown = unknown
    self.issues = issues
  }
}

/// The result of an import for one field.
public enum FieldImportResult: Sendable, Hashable {
  /// The field was set to the value, or to nil for null.
  case imported
  /// The field is unchanged: there was no value for it, or it can't be set.
  case untouched
  /// The value was refused, and the field keeps its own; it has the issue, too.
  case refused(FieldIssue)
}

/// The form in which an export writes a field that is known to be nil.
public enum NilExport: Sendable, Hashable, CaseIterable {
  /// Nothing; an import leaves the field untouched.
  case omitted
  /// Null; an import sets the field to nil.
  case explicit
}

/// The reason why a model can't be imported or exported at all.
///
/// A problem with a single imported value is a ``FieldIssue`` of its field, and not an error.
public enum FieldModelError: DescribedError, Hashable {
  /// A field has no key; the position is its index in the model's list.
  case missingKey(position: Int)
  /// Several fields have the same key, or a field is listed twice.
  case sharedKey(String)
  /// A value can't be written; the issue's path begins with the field's key.
  case notExported(FieldIssue)
  /// The data is not a JSON object.
  case unreadable(JSONValueError)
  /// A transformer made a value that JSON can't hold.
  case unwritable(JSONValueError)

  /// The problem and its remedy.
  public var message: String {
    switch self {
    case .missingKey(let position):
      "The field at position \(position) has no key; give it a name or a key, or leave it out of "
        + "the model's fields."
    case .sharedKey(let key):
      "Several fields have the key “\(key)”; give each one of its own."
    case .notExported(let issue):
      "The field at \(issue.path.joined(separator: ".")) can't be written (\(issue.code)); "
        + (issue.code == "noTransformer"
          ? "give it a transformer, or make its type DefaultTransformable."
          : "correct its value, or give it a transformer that can write it.")
    case .unreadable(let error), .unwritable(let error):
      error.message
    }
  }

  /// The JSON error or the issue, if there is one.
  public var underlyingErrors: [any Error] {
    switch self {
    case .missingKey, .sharedKey: []
    case .notExported(let issue): [issue]
    case .unreadable(let error), .unwritable(let error): [error]
    }
  }
}
