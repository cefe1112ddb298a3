/// How an export ended.
package enum ExportEnd: Sendable, Equatable, Codable {
  /// All of it is out.
  case exported(ExportSummary)

  /// It can't be exported.
  case refused(ExportError)

  /// What was written of it is gone; it is to be begun anew.
  case lost
}
