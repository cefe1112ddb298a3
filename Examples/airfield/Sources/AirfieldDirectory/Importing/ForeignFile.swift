/// A kind of file that is often taken for a CSV file, told by its first bytes.
public enum ForeignFile: String, Sendable, Codable, CaseIterable {
  case gzip, zip, png, jpeg, pdf, sqlite, utf16

  /// What the file is, and what to do about it, as the end of a sentence about it.
  public var message: String {
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
