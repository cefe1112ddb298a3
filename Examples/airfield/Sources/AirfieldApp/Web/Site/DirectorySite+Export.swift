import Fieldstone
import FieldstoneServing

extension DirectorySite {
  /// The airports of a query as a file: at once where they are few, and else while they are read.
  func export(_ query: AirportQuery) async -> SiteAnswer {
    guard let place = downloads.take() else { return .response(Self.tooManyDownloads) }
    let headers = Self.file(Self.fileName(query))
    do {
      let first = try await model.source.exportPiece(of: query, at: nil)
      guard first.next != nil else {
        return .response(
          SiteResponse(
            type: ExportPiece.contentType, body: first.text.utf8, headers: headers))
      }
      return .download(download(query, first: first, headers: headers, place: place))
    } catch {
      return .response(unreachable(error, retry: .export(query)))
    }
  }

  /// The file whose pieces are read one after the other; it has its place until nobody has it.
  private func download(
    _ query: AirportQuery, first: ExportPiece, headers: [String: String],
    place: DownloadPlaces.Place
  ) -> SiteDownload {
    SiteDownload(headers: headers) { [source = model.source] take in
      defer { withExtendedLifetime(place) {} }
      var piece = first
      while true {
        try await take(Array(piece.text.utf8))
        guard let mark = piece.next else { return }
        try Task.checkCancellation()
        piece = try await source.exportPiece(of: query, at: mark)
      }
    }
  }

  static let tooManyDownloads = SiteResponse(
    status: 503, text: "Too many files are being downloaded; try again in a minute.",
    headers: ["Retry-After": "60"])

  /// The headers of a CSV file that is downloaded under a name.
  static func file(_ name: String) -> [String: String] {
    [
      "Content-Type": ExportPiece.contentType,
      "Cache-Control": "no-store",
      "Content-Disposition": "attachment; filename=\"\(name)\"",
    ]
  }

  /// A name that no file system and no header takes for anything else, whatever the query holds.
  private static func fileName(_ query: AirportQuery) -> String {
    let country = query.country.flatMap { AirportRules.isCountry($0) ? $0 : nil }
    let parts = ["airports", country, query.kind?.rawValue].compactMap(\.self)
    return parts.joined(separator: "-") + ".csv"
  }
}
