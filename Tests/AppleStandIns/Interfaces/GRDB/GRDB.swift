// Documented by GRDB, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What those of our files name of GRDB that ask the system about files, for the check `platforms`.

public final class Database {
  public var sqliteConnection: OpaquePointer? { nil }
  public func execute(sql: String) throws {}
}

public final class Row {
  public static func fetchOne(_ database: Database, sql: String) throws -> Row? { nil }
  public subscript<Value: FixedWidthInteger>(index: Int) -> Value { 0 }
}

extension Int {
  public static func fetchOne(_ database: Database, sql: String) throws -> Int? { nil }
}

public protocol DatabaseWriter: AnyObject, Sendable {
  func unsafeReentrantWrite<T>(_ updates: (Database) throws -> T) rethrows -> T
}
