public import FieldstoneCore

/// What is wrong with an edit of an ``ArrayField``; the field stays as it was.
public enum FieldItemError: DescribedError, Hashable {
  /// There is no item at that place.
  case indexOutOfRange(Int, count: Int, field: String)
  /// The item is not there any more, or never was in this field.
  case unknownItem(field: String)

  /// What is wrong and what to do about it.
  public var message: String {
    switch self {
    case .indexOutOfRange(let index, let count, let field):
      "\(Self.name(field)) has \(count) item\(count == 1 ? "" : "s"), so there is no place "
        + "\(index); use an index from 0 up to its count."
    case .unknownItem(let field):
      "The item is not in \(Self.name(field)) any more; look its identity up in `items`."
    }
  }

  private static func name(_ field: String) -> String {
    field.isEmpty ? "The array field" : "The array field “\(field)”"
  }
}
