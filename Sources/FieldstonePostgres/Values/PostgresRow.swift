#if PostgreSQL
  import CFieldstonePostgres
  import FieldstoneDurable
  import Foundation

  /// The result of a statement; the object frees it.
  final class PostgresResult {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }
    deinit { PQclear(pointer) }

    /// Whether the server has executed the statement, or has found none in the text.
    var isSuccess: Bool { (0...2).contains(PQresultStatus(pointer)) }

    /// Whether the server has begun to send or to expect a copy instead.
    var isCopying: Bool { [3, 4].contains(PQresultStatus(pointer)) }

    /// A field of an error, by its letter.
    func errorField(_ name: Character) -> String? {
      name.asciiValue.flatMap { PQresultErrorField(pointer, Int32($0)) }.map { String(cString: $0) }
    }

    /// The number of changed rows.
    var changedRows: Int { PQcmdTuples(pointer).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// The server's name of the executed command.
    var command: String { PQcmdStatus(pointer).map { String(cString: $0) } ?? "" }

    var rows: [PostgresRow] {
      (0..<PQntuples(pointer)).map { PostgresRow(result: self, index: $0) }
    }

    fileprivate func value(_ row: Int32, _ column: Int) -> UnsafeRawBufferPointer? {
      let column = Int32(column)
      guard PQgetisnull(pointer, row, column) == 0, let value = PQgetvalue(pointer, row, column)
      else { return nil }
      return UnsafeRawBufferPointer(
        start: value, count: Int(PQgetlength(pointer, row, column)))
    }
  }

  /// A row of a result in binary format; the database may be damaged, so every value is checked.
  struct PostgresRow {
    let result: PostgresResult
    let index: Int32

    func integer(_ column: Int) throws -> Int { try there(optionalInteger(column)) }
    func text(_ column: Int) throws -> String { try there(optionalText(column)) }
    func date(_ column: Int) throws -> Date { try there(optionalDate(column)) }

    func boolean(_ column: Int) throws -> Bool {
      try there(result.value(index, column)?.first) != 0
    }

    func bytes(_ column: Int) throws -> Data { Data(try there(result.value(index, column))) }

    func identifier(_ column: Int) throws -> RunID {
      try there(result.value(index, column).flatMap { RunID(bytes: $0) })
    }

    func isNull(_ column: Int) -> Bool { result.value(index, column) == nil }

    func optionalIdentifier(_ column: Int) -> RunID? {
      result.value(index, column).flatMap { RunID(bytes: $0) }
    }

    func optionalInteger(_ column: Int) -> Int? {
      guard let bytes = result.value(index, column), [2, 4, 8].contains(bytes.count) else {
        return nil
      }
      var number = Int64(Int8(bitPattern: bytes[0]))
      for byte in bytes.dropFirst() { number = number << 8 | Int64(byte) }
      return Int(number)
    }

    func optionalText(_ column: Int) -> String? {
      result.value(index, column).map { String(decoding: $0, as: UTF8.self) }
    }

    func optionalBytes(_ column: Int) -> Data? { result.value(index, column).map { Data($0) } }

    func optionalDate(_ column: Int) -> Date? {
      optionalInteger(column).map { Date(stored: Int64($0)) }
    }

    /// An array of the server's, to be given back to it as it is.
    func array(_ column: Int, of kind: PostgresParameter.Kind) -> PostgresParameter {
      PostgresParameter(type: kind.array, bytes: result.value(index, column).map { Array($0) })
    }

    private func there<Value>(_ value: Value?) throws -> Value {
      guard let value else { throw JournalError.corrupt("a column holds what it can't") }
      return value
    }
  }
#endif
