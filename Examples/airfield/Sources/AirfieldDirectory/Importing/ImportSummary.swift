/// What a whole import came to.
public struct ImportSummary: Sendable, Equatable, Codable {
  /// The path of the file that was imported.
  public let file: String

  /// What became of its rows.
  public let counts: ImportCounts
}
