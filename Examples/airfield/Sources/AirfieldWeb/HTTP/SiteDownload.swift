import AirfieldDirectory
import AirfieldScreens

/// A file that is read while it is sent: one piece of it is held, however long it is.
public struct SiteDownload: Sendable {
  /// The headers, by their names; how the end of the body is told is not among them.
  public let headers: [String: String]

  private let query: AirportQuery
  private let first: ExportPiece
  private let source: any AirportSource

  /// Taken for as long as anybody has the download.
  private let place: DownloadPlaces.Place

  init(
    _ query: AirportQuery, first: ExportPiece, source: any AirportSource,
    headers: [String: String], place: DownloadPlaces.Place
  ) {
    self.query = query
    self.first = first
    self.source = source
    self.headers = headers
    self.place = place
  }

  /// Hands one piece after the other over, and reads the next once that was taken.
  ///
  /// It ends with the first error, of reading or of taking. No piece is empty.
  public func forEachPiece(_ take: ([UInt8]) async throws -> Void) async throws {
    defer { withExtendedLifetime(place) {} }
    var piece = first
    while true {
      if !piece.text.isEmpty { try await take(Array(piece.text.utf8)) }
      guard let mark = piece.next else { return }
      try Task.checkCancellation()
      piece = try await source.exportPiece(of: query, at: mark)
    }
  }
}
