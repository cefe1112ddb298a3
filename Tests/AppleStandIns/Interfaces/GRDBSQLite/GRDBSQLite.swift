// Documented by SQLite, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// What those of our files name of SQLite that ask the system about files, for the check `platforms`.

public var SQLITE_FCNTL_PERSIST_WAL: Int32 { 10 }

@discardableResult
public func sqlite3_file_control(
  _ connection: OpaquePointer?, _ database: UnsafePointer<CChar>?, _ operation: Int32,
  _ argument: UnsafeMutableRawPointer?
) -> Int32 { 0 }
