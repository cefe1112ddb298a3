import Foundation

/// An airport file that was found fit for importing: all of it UTF-8, under a header that fits.
public struct ImportFile: Sendable, Equatable, Codable {
  /// How many bytes are read at once; about a thousand airports.
  static let chunkSize = 1 << 17

  /// The path of the file.
  public let path: String

  /// How many bytes it had when it was looked at.
  public let size: Int

  /// Where its columns are.
  public let header: AirportHeader

  /// Reads the whole file once, so that a file that is none of ours changes nothing.
  init(path: String) throws {
    var reader = CSVReader()
    var check = UTF8Check()
    var first: CSVRecord?
    var offset = 0
    while case let chunk = try Self.read(path, from: offset), !chunk.isEmpty {
      guard check.take(chunk) else { throw ImportError.notUTF8(path: path, line: check.line) }
      if first == nil {
        first = try Self.utf8(path) { () throws(CSVError) in try reader.feed(chunk) }.first
      }
      offset += chunk.count
    }
    guard check.finish() else { throw ImportError.notUTF8(path: path, line: check.line) }
    if first == nil {
      first = try Self.utf8(path) { () throws(CSVError) in try reader.finish() }.first
    }
    guard let first else { throw ImportError.empty(path: path) }
    do {
      header = try AirportHeader(first)
    } catch {
      throw ImportError.notAirports(path: path, reason: error)
    }
    self.path = path
    size = offset
  }

  /// Looks at a file as an import would, and says what keeps it from being imported.
  public static func inspect(_ path: String) throws {
    _ = try ImportFile(path: path)
  }

  /// The bytes that follow those already read; none at the end.
  func read(from offset: Int) throws -> [UInt8] {
    let chunk = try Self.read(path, from: offset)
    guard offset + chunk.count <= size, !chunk.isEmpty || offset == size else {
      throw ImportError.changed(path: path)
    }
    return chunk
  }

  private static func read(_ path: String, from offset: Int) throws -> [UInt8] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw ImportError.missing(path: path)
    }
    let kind =
      try? FileManager.default.attributesOfItem(
        atPath: URL(filePath: path).resolvingSymlinksInPath().path)[.type] as? FileAttributeType
    guard !isFolder.boolValue, kind == .typeRegular else { throw ImportError.notAFile(path: path) }
    do {
      let file = try FileHandle(forReadingFrom: URL(filePath: path))
      defer { try? file.close() }
      try file.seek(toOffset: UInt64(offset))
      return Array(try file.read(upToCount: chunkSize) ?? Data())
    } catch {
      throw ImportError.unreadable(path: path, reason: error.localizedDescription)
    }
  }

  private static func utf8<Value>(
    _ path: String, _ read: () throws(CSVError) -> Value
  ) throws -> Value {
    do {
      return try read()
    } catch .notUTF8(let line) {
      throw ImportError.notUTF8(path: path, line: line)
    }
  }
}
