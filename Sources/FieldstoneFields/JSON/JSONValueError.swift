public import FieldstoneCore

/// Why something can't be read as JSON or written as JSON.
public enum JSONValueError: DescribedError, Hashable {
  /// The data is no JSON; the detail is the decoder's.
  case notJSON(detail: String)
  /// The outermost value is no object, where one with the fields' keys is needed.
  case notAnObject
  /// Arrays and objects lie inside each other more than ``JSONValue/depthLimit`` times.
  case tooDeep
  /// A number does not fit: it is not finite, or larger than a `Double` can be.
  case numberOutOfRange(path: [String])
  /// A string is no well-formed Unicode.
  case malformedString(path: [String])
  /// An object of a type that JSON has nothing for; the path leads to it.
  case unsupportedType(String, path: [String])

  /// What is wrong and what to do about it.
  public var message: String {
    switch self {
    case .notJSON(let detail):
      "This is not JSON (\(detail)); check that all of the data has arrived, in UTF-8."
    case .notAnObject:
      "The JSON holds no object; send one whose keys are those of the fields."
    case .tooDeep:
      "The value is nested deeper than \(JSONValue.depthLimit) levels; make it flatter."
    case .numberOutOfRange(let path):
      "The number\(Self.place(path)) does not fit into a double; send it as a string."
    case .malformedString(let path):
      "The string\(Self.place(path)) is no well-formed Unicode; check its escapes."
    case .unsupportedType(let type, let path):
      "A \(type)\(Self.place(path)) has no place in JSON; convert it to a string or a number first."
    }
  }

  private static func place(_ path: [String]) -> String {
    path.isEmpty ? "" : " at \(path.joined(separator: "."))"
  }
}
