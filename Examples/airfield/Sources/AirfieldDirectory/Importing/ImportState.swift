/// How far an import has come: all that it needs to go on from there.
public struct ImportState: Sendable, Equatable, Codable {
  /// The file that is imported.
  public let file: ImportFile

  /// How many bytes of it were read.
  public internal(set) var offset = 0

  /// What became of the rows so far.
  public internal(set) var counts = ImportCounts()

  var reader = CSVReader()

  /// The codes of the rows accepted so far, with their records.
  var seen: [String: Int] = [:]

  init(file: ImportFile) {
    self.file = file
  }

  /// Whether the whole file was read.
  public var isAtEnd: Bool { offset == file.size }
}
