struct ExportSummary: Sendable, Equatable, Codable {
  let target: ExportTarget
  let rows: Int
  let pages: Int
}

enum ExportEnd: Sendable, Equatable, Codable {
  case exported(ExportSummary)
  case refused(ExportError)

  /// What was written of it is gone; it is to be begun anew.
  case lost
}

/// How far an export has come, for those who watch it.
struct ExportProgress: Sendable, Equatable {
  let fraction: Double
  let rows: Int
}

/// A page was not accepted and will be posted again, for those who watch an export.
struct ExportPause: Sendable, Equatable {
  let reason: String
  let delay: Duration
}
