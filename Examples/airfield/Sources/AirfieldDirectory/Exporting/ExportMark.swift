/// Where the next piece of an export lies that is read piece by piece.
public struct ExportMark: Sendable, Equatable {
  let range: ExportRange

  init(_ range: ExportRange) {
    self.range = range
  }
}
