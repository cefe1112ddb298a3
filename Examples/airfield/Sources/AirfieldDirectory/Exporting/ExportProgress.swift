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
