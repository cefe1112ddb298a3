import FieldstoneDurable

/// What is to be exported, and where to; the same again is the same export.
public struct ExportRequest: Sendable, Hashable, Codable {
  /// How many airports a page has unless told otherwise.
  public static let pageSize = 1_000

  /// Where it goes.
  public let target: ExportTarget

  /// The two-letter code of the only country asked for, in capitals; nil for all.
  public let country: String?

  /// How many airports a page has, the last one aside; at least one.
  public let pageSize: Int

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - target: where it goes.
  ///   - country: the two-letter code of the only country asked for, whatever the case; whether
  ///     there is such a country is looked at when the export begins.
  ///   - pageSize: how many airports a page has; less than one counts as one.
  public init(
    to target: ExportTarget, country: String? = nil, pageSize: Int = ExportRequest.pageSize
  ) {
    self.target = target
    self.country = country?.uppercased()
    self.pageSize = max(1, pageSize)
  }

  var query: AirportQuery { AirportQuery(country: country) }

  var format: ExportFormat { target.format }

  /// Names the export among those that may stand beside it.
  var name: String { "\(pageSize)-\(country ?? "")-\(target.identity)" }

  /// Names the export after so many of the same that are over.
  ///
  /// Whoever asks for the same export again gets the one that is not over yet, and a new one
  /// otherwise. The version is in it because older code can't go on with what newer code began.
  func key(after exports: Int) -> String {
    "\(AirportExport.flowVersion)-\(exports)-\(name)"
  }
}
