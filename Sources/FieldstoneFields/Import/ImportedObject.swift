/// An object from outside, of which single values may be unreadable.
struct ImportedObject: Decodable {
  var values: [String: JSONValue]
  var unreadable: [String: JSONValueError] = [:]

  init(values: [String: JSONValue]) {
    self.values = values
  }

  init(from decoder: any Decoder) throws {
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
        // What other formats than JSON have, such as the dates of property lists.
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
