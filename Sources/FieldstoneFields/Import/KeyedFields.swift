import FieldstoneCore

/// The fields of a model in their order, each with its own key.
package struct KeyedFields {
  private let fields: [AnyField]
  private let keys: Set<String>

  /// The name of the transformers.
  private let name: String?

  package init(_ fields: [AnyField], with name: String? = nil) throws(FieldModelError) {
    self.name = name
    var keys: Set<String> = []
    for (position, field) in fields.enumerated() {
      let key = field.key
      guard !key.isEmpty else { throw .missingKey(position: position) }
      guard keys.insert(key).inserted else { throw .sharedKey(key) }
    }
    self.keys = keys
    // Fields of the same order keep their positions.
    self.fields = Dictionary(grouping: fields, by: \.order).valuesInOrder.flatMap(\.self)
  }

  package func importing(_ object: ImportedObject) -> ImportReport {
    var report = ImportReport()
    Fields.batch {
      for field in fields {
        let key = field.key
        switch result(of: field, from: object, key: key) {
        case .imported: report.imported.append(key)
        case .untouched: report.untouched.append(key)
        case .refused(let issue): report.issues.append(issue.inside(key))
        }
      }
    }
    let found = Set(object.values.keys).union(object.unreadable.keys)
    report.unknown = Array(found.subtracting(keys)).inOrder
    return report
  }

  private func result(
    of field: AnyField, from object: ImportedObject, key: String
  ) -> FieldImportResult {
    if let error = object.unreadable[key], field.isSettable {
      return field.refuse(.unreadable(error))
    }
    return field.importValue(object.values[key], with: name)
  }

  package func exporting(nil nilExport: NilExport) throws(FieldModelError) -> [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    for field in fields {
      do throws(FieldIssue) {
        guard let value = try field.exportValue(with: name) else { continue }
        if value == .null, nilExport == .omitted { continue }
        values[field.key] = value
      } catch {
        throw .notExported(error.inside(field.key))
      }
    }
    return values
  }
}

/// An object to import, some of whose values may be unreadable.
package struct ImportedObject: Decodable {
  var values: [String: JSONValue]
  var unreadable: [String: JSONValueError] = [:]

  package init(values: [String: JSONValue]) {
    self.values = values
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ImportKey.self)
    values = [:]
    for key in container.allKeys {
      do {
        values[key.stringValue] =
          try container.decodeNil(forKey: key)
          ? .null : container.decode(JSONValue.self, forKey: key)
      } catch let error as JSONValueError {
        unreadable[key.stringValue] = error
      } catch DecodingError.typeMismatch {
        // A value that only other formats than JSON have, such as a date of a property list.
        unreadable[key.stringValue] = .unsupportedType("value", path: [key.stringValue])
      }
    }
  }
}

/// Any key.
struct ImportKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ key: String) {
    stringValue = key
  }

  init?(stringValue: String) {
    self.stringValue = stringValue
  }

  init?(intValue: Int) {
    stringValue = "\(intValue)"
  }
}
