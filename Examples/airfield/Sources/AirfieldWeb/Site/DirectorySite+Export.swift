import AirfieldDirectory
import AirfieldScreens
import Fieldstone

extension DirectorySite {
  /// The airports of a query as a file: at once where they are few, and else while they are read.
  func export(_ query: AirportQuery) async -> SiteAnswer {
    guard let place = downloads.take() else {
      return .response(
        SiteResponse(
          status: 503, text: "Too many files are being downloaded; try again in a minute.",
          headers: ["Retry-After": "60"]))
    }
    let type = ExportPiece.contentType
    let headers = [
      "Cache-Control": "no-store",
      "Content-Disposition": "attachment; filename=\"\(Self.fileName(query))\"",
    ]
    do {
      let first = try await model.source.exportPiece(of: query, at: nil)
      guard first.next != nil else {
        return .response(
          SiteResponse(status: 200, type: type, body: Array(first.text.utf8), headers: headers))
      }
      return .download(
        SiteDownload(
          query, first: first, source: model.source,
          headers: SiteResponse.common.merging(headers) { $1 }
            .merging(["Content-Type": type]) { $1 },
          place: place))
    } catch {
      return .response(unreachable(error, retry: .export(query)))
    }
  }

  /// A name that no file system and no header takes for anything else, whatever the query holds.
  private static func fileName(_ query: AirportQuery) -> String {
    let country = query.country.flatMap { code in
      code.utf8.count == 2 && code.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
        ? code : nil
    }
    let parts = ["airports", country, query.kind?.rawValue].compactMap(\.self)
    return parts.joined(separator: "-") + ".csv"
  }
}
