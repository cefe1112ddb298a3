#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB
  import GRDBSQLite

  /// A copy of a statement's row.
  ///
  /// It has no names of columns: for each execution, GRDB's `Row` makes a dictionary of them, which
  /// takes longer than to read the row.
  struct StoredRow: Sendable {
    fileprivate enum Value {
      case null
      case integer(Int64)
      case real(Double)
      case text(String)
      case bytes(Data)
    }

    fileprivate let values: [Value]
  }

  // The database may be damaged, so every value is checked.
  extension StoredRow {
    func whole(_ index: Int) throws -> Int { try value(optionalWhole(index)) }
    func text(_ index: Int) throws -> String { try value(optionalText(index)) }
    func bytes(_ index: Int) throws -> Data { try value(optionalBytes(index)) }
    func date(_ index: Int) throws -> Date { try value(optionalDate(index)) }

    func isNull(_ index: Int) -> Bool {
      if case .null = values[index] { true } else { false }
    }

    func optionalWhole(_ index: Int) -> Int? {
      switch values[index] {
      case .integer(let number): Int(exactly: number)
      case .real(let number): Int(exactly: number)
      case .null, .text, .bytes: nil
      }
    }

    func optionalText(_ index: Int) -> String? {
      if case .text(let text) = values[index] { text } else { nil }
    }

    func optionalBytes(_ index: Int) -> Data? {
      switch values[index] {
      case .bytes(let bytes): bytes
      case .text(let text): Data(text.utf8)
      case .null, .integer, .real: nil
      }
    }

    func optionalDate(_ index: Int) -> Date? {
      switch values[index] {
      case .real(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
      case .integer(let seconds): Date(timeIntervalSinceReferenceDate: Double(seconds))
      case .null, .text, .bytes: nil
      }
    }

    private func value<Result>(_ value: Result?) throws -> Result {
      guard let value else { throw JournalError.corrupt("a column holds what it can't") }
      return value
    }
  }

  // GRDB reads a statement's first column as a value of any type that can read it; this one reads all
  // columns.
  extension StoredRow: StatementColumnConvertible, DatabaseValueConvertible {
    static func fromStatement(_ statement: SQLiteStatement, atUncheckedIndex index: CInt) -> Self? {
      Self(values: (0..<sqlite3_column_count(statement)).map { Value(statement, $0) })
    }

    init?(sqliteStatement: SQLiteStatement, index: CInt) { return nil }
    static func fromDatabaseValue(_ value: DatabaseValue) -> Self? { nil }
    var databaseValue: DatabaseValue { .null }
  }

  extension StoredRow.Value {
    fileprivate init(_ statement: SQLiteStatement, _ index: CInt) {
      switch sqlite3_column_type(statement, index) {
      case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, index))
      case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, index))
      case SQLITE_TEXT:
        // The count is that of what the pointer was asked for last.
        let text = sqlite3_column_text(statement, index)
        let count = Int(sqlite3_column_bytes(statement, index))
        self = .text(
          String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
      case SQLITE_BLOB:
        let bytes = sqlite3_column_blob(statement, index)
        let count = Int(sqlite3_column_bytes(statement, index))
        self = .bytes(bytes.map { Data(bytes: $0, count: count) } ?? Data())
      default: self = .null
      }
    }
  }
#endif
