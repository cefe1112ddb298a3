public import FieldstoneCore

/// What can be wrong with the pages of a source.
public enum PaginatedListError: DescribedError, Hashable {
  /// A page led to a cursor that had led to a page before, so there would be no end.
  ///
  /// The page is dropped as a whole.
  case cursorLoop(cursor: String)

  /// What is wrong and what to do about it.
  public var message: String {
    switch self {
    case .cursorLoop(let cursor):
      "A page says that the list goes on at \(cursor), where it went on before: let the source give nil after the last page, and another cursor after each page before it."
    }
  }
}
