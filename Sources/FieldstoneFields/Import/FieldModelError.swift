public import FieldstoneCore

/// Why a model can't be imported or exported at all.
///
/// What is wrong with a single value from outside is no error but a ``FieldIssue`` of its field.
public enum FieldModelError: DescribedError, Hashable {
  /// A field has no key; the position is that in the model's list.
  case missingKey(position: Int)
  /// Several fields have the same key, or a field is listed twice.
  case sharedKey(String)
  /// A value can't be written; the issue's path begins with the field's key.
  case notExported(FieldIssue)
  /// What was given is no JSON object.
  case unreadable(JSONValueError)
  /// A transformer made a value that JSON can't hold.
  case unwritable(JSONValueError)

  /// What is wrong and what to do about it.
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

  /// The JSON error, where there is one.
  public var underlyingErrors: [any Error] {
    switch self {
    case .missingKey, .sharedKey: []
    case .notExported(let issue): [issue]
    case .unreadable(let error), .unwritable(let error): [error]
    }
  }
}
