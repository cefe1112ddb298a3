/// What a whole export came to.
public struct ExportSummary: Sendable, Equatable, Codable {
  /// Where it went.
  public let target: ExportTarget

  /// How many airports it has.
  public let rows: Int

  /// How many pages it had.
  public let pages: Int
}

/// How an export ended.
package enum ExportEnd: Sendable, Equatable, Codable {
  /// All of it is out.
  case exported(ExportSummary)

  /// It can't be exported.
  case refused(ExportError)

  /// What was written of it is gone; it is to be begun anew.
  case lost
}

/// How far an export has come, for those who watch it.
public struct ExportProgress: Sendable, Equatable {
  /// The part of the airports that is out, from 0 to 1.
  public let fraction: Double

  /// How many airports are out.
  public let rows: Int

  /// Makes a progress.
  public init(fraction: Double, rows: Int) {
    self.fraction = fraction
    self.rows = rows
  }
}

/// A page was not accepted and will be posted again, for those who watch an export.
public struct ExportPause: Sendable, Equatable {
  /// Why it was not accepted, as a phrase.
  public let reason: String

  /// How long is waited before it is posted again.
  public let delay: Duration

  /// Makes a pause.
  public init(reason: String, delay: Duration) {
    self.reason = reason
    self.delay = delay
  }
}
