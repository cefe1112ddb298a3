public import Foundation

extension FieldModel {
  /// Sets the fields to the values of a JSON object, as ``importValues(_:with:)`` does.
  ///
  /// A value that can't be represented, such as a number beyond a `Double`, is malformed for its
  /// field only.
  ///
  /// - Parameters:
  ///   - data: the JSON object.
  ///   - name: the name of the transformers; fields that have none of it use their usual one.
  /// - Throws: also when the data is no JSON object; then nothing is imported.
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

  /// The fields' values as a JSON object, as ``exportValues(nil:with:)`` gives them.
  ///
  /// - Parameters:
  ///   - nilExport: what is written for a field that is known to be nil.
  ///   - name: the name of the transformers; fields that have none of it use their usual one.
  ///   - formatting: keys are sorted unless said otherwise, so that equal values give equal text.
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
