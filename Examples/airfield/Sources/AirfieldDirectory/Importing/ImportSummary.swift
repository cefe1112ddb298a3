/// What a whole import came to.
public struct ImportSummary: Sendable, Equatable, Codable {
  /// The path of the file that was imported.
  public let file: String

  /// What became of its rows.
  public let counts: ImportCounts
}

/// How an import ended.
package enum ImportEnd: Sendable, Equatable, Codable {
  /// The file was read to its end.
  case imported(ImportSummary)

  /// The file can't be imported, or no further.
  case refused(ImportError)

  /// Another import was asked for after this one had stopped; what it stored stays.
  case abandoned
}

/// What became of the rows of a file so far; the header is none of them.
public struct ImportCounts: Sendable, Equatable, Codable {
  /// Rows read.
  public var read = 0

  /// Rows that became new airports.
  public var stored = 0

  /// Rows that changed an airport.
  public var updated = 0

  /// Rows whose airport was there already, the same in everything.
  public var unchanged = 0

  /// Rows that became none.
  public var rejected = 0

  /// Makes counts of nothing.
  public init() {}
}

/// How far an import has come, for those who watch it.
public struct ImportProgress: Sendable, Equatable {
  /// The part of the file that was read and stored, from 0 to 1.
  public let fraction: Double

  /// What became of the rows so far.
  public let counts: ImportCounts

  /// Makes a progress.
  public init(fraction: Double, counts: ImportCounts) {
    self.fraction = fraction
    self.counts = counts
  }
}
