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
