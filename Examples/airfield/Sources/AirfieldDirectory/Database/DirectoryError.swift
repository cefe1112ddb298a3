public import Fieldstone
import GRDB

/// What keeps the directory from being used.
public enum DirectoryError: DescribedError {
  /// The file can't be opened, made or brought up to date.
  case cannotOpen(path: String, cause: any Error)

  /// There is no file there, and none is to be made.
  case missing(path: String)

  /// The file is damaged, or holds a value that airfield does not write.
  case unreadable(path: String, cause: any Error)

  /// The file is a database of another program.
  case foreign(path: String)

  /// The file can't be written.
  case readOnly(path: String)

  /// The file can't be written, and was made by an airfield whose files this one can't read.
  case outdated(path: String)

  /// What went wrong and what to do about it.
  public var message: String {
    switch self {
    case .cannotOpen(let path, let cause):
      "cannot use \(path) as the database: \(reason(cause)); give another with --database"
    case .missing(let path):
      "there is no database at \(path); make one with airfield import"
    case .unreadable(let path, let cause):
      "The database \(path) can’t be read: \(reason(cause)). Put back a copy of it, or import the "
        + "airports into another."
    case .foreign(let path):
      "\(path) is a database of another program, and nothing was written to it; give another with"
        + " --database"
    case .readOnly(let path):
      "The database \(path) can’t be written. Copy it to where it can be, and serve the copy."
    case .outdated(let path):
      "\(path) was made by an older airfield, and can’t be brought up to date because it can’t be"
        + " written; copy it to where it can be, and use the copy"
    }
  }

  /// What the database itself said.
  public var underlyingErrors: [any Error] {
    switch self {
    case .cannotOpen(_, let cause), .unreadable(_, let cause): [cause]
    case .missing, .foreign, .readOnly, .outdated: []
    }
  }

  private func reason(_ cause: any Error) -> String {
    switch cause {
    case let error as DatabaseError: error.message ?? "\(error)"
    // It tells of the whole row, which may be of any length.
    case is RowDecodingError: "a value in it is of another type than airfield writes"
    default: "\(cause)"
    }
  }
}
