import AirfieldDirectory
import ArgumentParser
import Foundation

/// `airfield serve --database PATH --port N`.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serves the directory as pages on this machine's loopback address.")

  @Option(help: ArgumentHelp("The database to serve.", valueName: "path"))
  var database: String

  @Flag(help: "Writes nothing to the database, also where it can be written.")
  var readOnly = false

  @OptionGroup var address: AddressOptions

  func run() async throws {
    guard FileManager.default.fileExists(atPath: database) else {
      throw DirectoryError.missing(path: database)
    }
    let address = address
    try await AirportDirectory.opened(at: database, toRead: readOnly) { directory in
      try await DirectoryService(directory: directory, console: .standard).run(address)
    }
  }
}
