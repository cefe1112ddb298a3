import AirfieldTestSupport
import Foundation

@testable import AirfieldApp

/// A directory with airports, and a folder that they are exported into.
struct ExportFolder: Sendable {
  let folder: TemporaryFolder
  let directory: AirportDirectory

  init() throws {
    folder = try TemporaryFolder()
    directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
  }

  /// Stores so many airports in Iceland, each followed by one in Norway.
  ///
  /// Their names come in another order than they do.
  func store(_ count: Int) async throws {
    _ = try await directory.store(
      (0..<count).flatMap { number in
        [
          Self.airport(number),
          Samples.airport("EN\(number + 10)", name: "Elsewhere \(number)", country: "NO"),
        ]
      })
  }

  static func airport(_ number: Int) -> Airport {
    Samples.airport(
      "BI\(number + 10)", iata: number % 3 == 0 ? "A\(number + 10)" : nil,
      name: "\(Character(UnicodeScalar(UInt8(122 - number % 25)))) field, “\(number)” \"ý\"",
      city: number % 2 == 0 ? "Höfn" : nil)
  }

  func path(_ name: String) throws -> String { try folder.path(name) }

  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: try path(name))), as: UTF8.self)
  }

  /// The names of the files that exports have left, finished or not.
  var files: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        .filter { !$0.hasPrefix("airports.sqlite") }.sorted()
    }
  }

  func request(
    _ name: String = "airports.csv", country: String? = "IS", pageSize: Int = 5
  ) throws -> ExportRequest {
    ExportRequest(to: try ExportTarget(try path(name)), country: country, pageSize: pageSize)
  }

  /// What the export of these airports has to be.
  static func csv(_ numbers: some Sequence<Int>) -> String {
    Samples.header + numbers.map { line(airport($0)) }.joined()
  }

  private static func line(_ airport: Airport) -> String {
    let name = airport.name.replacing("\"", with: "\"\"")
    return
      "\(airport.icao),\(airport.iata ?? ""),\"\(name)\",\(airport.city ?? ""),,IS,,1,2,UTC,\r\n"
  }
}
