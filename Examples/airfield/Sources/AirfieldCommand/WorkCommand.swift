import AirfieldDirectory
import ArgumentParser
import Foundation

/// `airfield work --database PATH --journal URL`.
struct WorkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "work",
    abstract: "Works on imports that other processes asked for, until it is stopped.",
    discussion: """
      Any number of these may work on the imports of a database whose journal is in PostgreSQL. The part \
      of one that was killed goes to another after five seconds, and none of its rows is stored twice.
      """)

  @Option(help: ArgumentHelp("The database that is imported into.", valueName: "path"))
  var database: String

  @Option(
    help: ArgumentHelp(
      "The PostgreSQL database that the imports have their journal in.", valueName: "postgresql://…"
    ))
  var journal: ImportJournal

  func run() async throws {
    guard FileManager.default.fileExists(atPath: database) else {
      throw DirectoryError.missing(path: database)
    }
    try await journal.opened { journal in
      try await AirportDirectory.opened(at: database) { directory in
        guard !directory.isReadOnly else { throw DirectoryError.readOnly(path: directory.path) }
        try await DirectoryImport(directory: directory, journal: journal, console: .standard).work()
      }
    }
  }
}
