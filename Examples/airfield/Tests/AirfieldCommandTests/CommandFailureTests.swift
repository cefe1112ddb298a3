import Fieldstone
import Foundation
import GRDB
import Testing

@testable import AirfieldApp

@Suite("A failed command")
struct CommandFailureTests {
  static let failures: [(error: any Error, signal: StopSignal?, status: Int32, text: String)] = [
    (ImportError.missing(path: "/a.csv"), nil, 2, "there is no file at /a.csv"),
    (ImportError.empty(path: "a\nb.csv"), nil, 2, "a b.csv is empty"),
    (ImportError.notUTF8(path: "a", line: 3), nil, 2, "line 3"),
    (ImportError.notAirports(path: "a", reason: .missing([.lat])), nil, 2, "lacks lat"),
    (ImportError.missing(path: "a"), nil, 2, "give the path of a CSV file"),
    (ImportError.notAFile(path: "a"), nil, 2, "give the path of a CSV file"),
    (ImportError.unreadable(path: "a", reason: "b"), nil, 2, "make it readable"),
    (ImportError.empty(path: "a"), nil, 2, "whose first line names the columns"),
    (
      ImportError.notAirports(path: "a", reason: .missing([.tz])), nil, 2,
      "must name icao, name, country, lat, lon, tz"
    ),
    (DirectoryError.readOnly(path: "/b", isAsked: true), nil, 1, "Leave --read-only out"),
    (DirectoryError.readOnly(path: "/b", isAsked: false), nil, 1, "Copy it to where it can be"),
    (DirectoryError.outdated(path: "/b"), nil, 1, "on a copy that can be written"),
    (unreadable(.SQLITE_BUSY), nil, 1, "Try again"),
    (unreadable(.SQLITE_CANTOPEN), nil, 1, "Try again"),
    (unreadable(.SQLITE_CORRUPT), nil, 1, "Put back a copy"),
    (unreadable(.SQLITE_NOTADB), nil, 1, "Put back a copy"),
    (DirectoryError.missing(path: "/b"), nil, 1, "airfield import"),
    (MessageError("cannot do it"), nil, 1, "cannot do it"),
    (Interrupted.importing(ImportCounts()), .interrupt, 130, "what was stored stays"),
    (Interrupted.importing(ImportCounts()), .terminate, 143, "0 rows read"),
    (ExportError.folder(path: "/a"), nil, 2, "give the name of a file in it"),
    (ExportError.missingFolder(path: "a\nb"), nil, 2, "no folder a b"),
    (ExportError.unknownCountry("ZZ"), nil, 2, "such as IS"),
    (Interrupted.exporting(3), .interrupt, 130, "3 airports exported"),
    (Interrupted.exporting(3), .terminate, 143, "goes on from there"),
    (CancellationError(), .interrupt, 130, "interrupted"),
  ]

  private static func unreadable(_ code: ResultCode) -> DirectoryError {
    .unreadable(path: "/b", cause: DatabaseError(resultCode: code))
  }

  @Test("tells a person one line and the shell a status", arguments: failures)
  func tells(_ error: any Error, _ signal: StopSignal?, _ status: Int32, _ text: String) throws {
    let failure = try #require(CommandFailure(error, signal: signal))
    #expect(failure.status == status)
    #expect(failure.message.contains(text))
    #expect(!failure.message.contains("\n"))
  }
}
