import Foundation

/// An airport file that was found fit for importing: all of it UTF-8, under a header that fits.
struct ImportFile: Sendable, Equatable, Codable {
  /// How many bytes are read at once; about a thousand airports.
  static let chunkSize = 1 << 17

  /// Where it is and what it was like when it was looked at.
  let source: ImportSource
  let header: AirportHeader

  /// What separates its values; a comma where nothing is said.
  private let separatorKept: CSVSeparator?

  var separator: CSVSeparator { separatorKept ?? .comma }

  /// Reads the whole file once, so that a file that is none of ours changes nothing.
  init(_ source: ImportSource) throws {
    var places: [CSVPosition] = []
    try self.init(source, batchesPerPart: ImportCuts.batchesPerPart, places: &places)
  }

  /// Reads the whole file once, and cuts it into parts meanwhile.
  ///
  /// - Parameters:
  ///   - batchesPerPart: how large a part is.
  ///   - places: gets the places at which the second part and those after it begin.
  init(_ source: ImportSource, batchesPerPart: Int, places: inout [CSVPosition]) throws {
    let path = source.title
    let start = try Self.read(source, from: 0)
    if let kind = ForeignFile(start) { throw ImportError.foreign(path: path, kind: kind) }
    let separator = CSVSeparator.used(in: start)
    var reader = CSVReader(separator: separator)
    var cuts = ImportCuts(
      size: source.size, separator: separator, batchesPerPart: batchesPerPart)
    var check = UTF8Check()
    var first: CSVRecord?
    var (offset, endsLine) = (0, false)
    var chunk = start
    while let last = chunk.last {
      guard check.take(chunk) else { throw ImportError.notUTF8(path: path, line: check.line) }
      if first == nil {
        first = try Self.utf8(path) { () throws(CSVError) in try reader.feed(chunk) }.first
      }
      try Self.utf8(path) { () throws(CSVError) in try cuts.take(chunk) }
      offset += chunk.count
      endsLine = last == 0x0A || last == 0x0D
      chunk = try Self.read(source, from: offset)
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
    // The rows that an open quote swallows are not known.
    if let quote = cuts.openQuote {
      let swallowed = quote.reached - quote.line - (endsLine ? 1 : 0)
      guard swallowed <= 0 else {
        throw ImportError.openQuote(path: path, line: quote.line, swallowed: swallowed)
      }
    }
    places = cuts.places
    self.source = source
    separatorKept = separator == .comma ? nil : separator
  }

  /// Looks at a file as an import would, and says what keeps it from being imported.
  static func inspect(_ path: String, name: String? = nil) throws {
    _ = try ImportFile(ImportSource(path: path, name: name))
  }

  /// The bytes that follow those already read; none at the end.
  ///
  /// - Parameters:
  ///   - offset: how many bytes were read already.
  ///   - end: where the reading ends, which is the end of the file or of a part of it.
  func read(from offset: Int, upTo end: Int) throws -> [UInt8] {
    let chunk = try Self.read(source, from: offset)
    let wanted = chunk.count > end - offset ? Array(chunk.prefix(max(0, end - offset))) : chunk
    try expectUnchanged()
    guard !wanted.isEmpty || offset == source.size else {
      throw ImportError.changed(path: source.title)
    }
    return wanted
  }

  /// Throws where the file was written since it was looked at.
  func expectUnchanged() throws {
    guard try ImportSource(path: source.path, name: source.name) == source else {
      throw ImportError.changed(path: source.title)
    }
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

/// A kind of file that is often taken for a CSV file, told by its first bytes.
enum ForeignFile: String, Sendable, Codable, CaseIterable {
  case gzip, zip, png, jpeg, pdf, sqlite, utf16

  /// What the file is, and what to do about it, as the end of a sentence about it.
  var message: String {
    switch self {
    case .gzip: "compressed with gzip; unpack it with gunzip and import what comes out"
    case .zip: "a ZIP archive or a spreadsheet; unpack it, or save it as CSV"
    case .png: "a PNG picture; choose a CSV file"
    case .jpeg: "a JPEG picture; choose a CSV file"
    case .pdf: "a PDF document; choose a CSV file"
    case .sqlite: "an SQLite database; export it as CSV first"
    case .utf16: "a text in UTF-16; save it as UTF-8"
    }
  }

  /// The kind of a file that begins so; nil where it may be a CSV file.
  init?(_ bytes: [UInt8]) {
    let kind = Self.allCases.first { kind in
      kind.beginnings.contains { bytes.starts(with: $0) }
    }
    guard let kind else { return nil }
    self = kind
  }

  private var beginnings: [[UInt8]] {
    switch self {
    case .gzip: [[0x1F, 0x8B]]
    case .zip: [[0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6]]
    case .png: [[0x89, 0x50, 0x4E, 0x47]]
    case .jpeg: [[0xFF, 0xD8, 0xFF]]
    case .pdf: [Array("%PDF-".utf8)]
    case .sqlite: [Array("SQLite format 3\0".utf8)]
    case .utf16: [[0xFF, 0xFE], [0xFE, 0xFF], [0x69, 0], [0, 0x69]]  // a mark, or the i of icao
    }
  }
}

/// Tells whether bytes that arrive in chunks are UTF-8.
struct UTF8Check {
  /// The line of the first byte that is not UTF-8, once there is one.
  private(set) var line = 1

  private var held: [UInt8] = []

  /// Takes the next bytes; false where they can't be UTF-8.
  mutating func take(_ chunk: [UInt8]) -> Bool {
    let bytes = held + chunk
    // The last character may go on in the next chunk, so it is looked at with that.
    let end = bytes.suffix(4).lastIndex { $0 >= 0xC0 } ?? bytes.endIndex
    held = Array(bytes[end...])
    return isValid(bytes[..<end])
  }

  /// Says that the file ends here; false where that is in the middle of a character.
  mutating func finish() -> Bool { isValid(held[...]) }

  private mutating func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      var iterator = bytes.makeIterator()
      var parser = Unicode.UTF8.ForwardParser()
      while case .valid(let scalar) = parser.parseScalar(from: &iterator) {
        if scalar.first == UInt8(ascii: "\n") { line += 1 }
      }
      return false
    }
    line += bytes.count { $0 == UInt8(ascii: "\n") }
    return true
  }
}
