import Foundation

/// An airport file that was found fit for importing: all of it UTF-8, under a header that fits.
public struct ImportFile: Sendable, Equatable, Codable {
  /// How many bytes are read at once; about a thousand airports.
  static let chunkSize = 1 << 17

  /// Where it is and what it was like when it was looked at.
  let source: ImportSource

  /// Where its columns are.
  let header: AirportHeader

  /// Reads the whole file once, so that a file that is none of ours changes nothing.
  init(_ source: ImportSource) throws {
    let path = source.title
    var reader = CSVReader()
    var check = UTF8Check()
    var first: CSVRecord?
    var offset = 0
    while case let chunk = try Self.read(source, from: offset), !chunk.isEmpty {
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
    guard offset == source.size else { throw ImportError.changed(path: path) }
    self.source = source
  }

  /// Looks at a file as an import would, and says what keeps it from being imported.
  public static func inspect(_ path: String) throws {
    _ = try ImportFile(ImportSource(path: path))
  }

  /// The bytes that follow those already read; none at the end.
  func read(from offset: Int) throws -> [UInt8] {
    let chunk = try Self.read(source, from: offset)
    guard try ImportSource(path: source.path, name: source.name) == source,
      !chunk.isEmpty || offset == source.size
    else { throw ImportError.changed(path: source.title) }
    return chunk
  }

  private static func read(_ source: ImportSource, from offset: Int) throws -> [UInt8] {
    do {
      let file = try FileHandle(forReadingFrom: URL(filePath: source.path))
      defer { try? file.close() }
      try file.seek(toOffset: UInt64(offset))
      return Array(try file.read(upToCount: chunkSize) ?? Data())
    } catch {
      throw ImportError.unreadable(path: source.title, reason: error.localizedDescription)
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
