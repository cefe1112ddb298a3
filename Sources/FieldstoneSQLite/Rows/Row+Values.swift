#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  // The database may be damaged: nothing that is read from it is taken for granted.
  extension Row {
    func whole(_ index: Int) throws(JournalError) -> Int { try value(index) }
    func text(_ index: Int) throws(JournalError) -> String { try value(index) }
    func bytes(_ index: Int) throws(JournalError) -> Data { try value(index) }

    func date(_ index: Int) throws(JournalError) -> Date {
      Date(timeIntervalSinceReferenceDate: try value(index))
    }

    func optionalText(_ index: Int) -> String? { String.fromDatabaseValue(self[index]) }
    func optionalWhole(_ index: Int) -> Int? { Int.fromDatabaseValue(self[index]) }

    func optionalDate(_ index: Int) -> Date? {
      Double.fromDatabaseValue(self[index]).map(Date.init(timeIntervalSinceReferenceDate:))
    }

    private func value<Value: DatabaseValueConvertible>(
      _ index: Int
    ) throws(JournalError) -> Value {
      guard let value = Value.fromDatabaseValue(self[index]) else {
        throw .corrupt("a column holds what it can't")
      }
      return value
    }
  }
#endif
