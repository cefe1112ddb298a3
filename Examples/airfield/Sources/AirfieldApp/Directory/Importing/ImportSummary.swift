struct ImportSummary: Sendable, Equatable, Codable {
  let file: String
  let counts: ImportCounts
}

enum ImportEnd: Sendable, Equatable, Codable {
  case imported(ImportSummary)
  case refused(ImportError)

  /// Another import was asked for after this one had stopped; what it stored stays.
  case abandoned
}

/// What became of the rows of a file so far; the header is none of them.
struct ImportCounts: Sendable, Equatable, Codable {
  var read = 0
  var stored = 0
  var updated = 0
  var unchanged = 0
  var rejected = 0
}

/// How far an import has come, for those who watch it.
struct ImportProgress: Sendable, Equatable {
  let fraction: Double
  let counts: ImportCounts
}
