/// A piece of an export, and where the next one lies.
public struct ExportPiece: Sendable, Equatable {
  /// How browsers are told what the pieces are together.
  public static let contentType = ExportFormat.csv.contentType

  /// Whole lines; maybe none, where all airports of the piece have gone meanwhile.
  public let text: String

  /// Where the next piece lies; nil where none follows.
  public let next: ExportMark?

  /// Makes a piece.
  public init(text: String, next: ExportMark?) {
    self.text = text
    self.next = next
  }

  /// The export of no airport: a header.
  public static let none = ExportPiece(text: ExportFormat.csv.header, next: nil)
}
