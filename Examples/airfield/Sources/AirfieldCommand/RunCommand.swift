import AirfieldDirectory
import ArgumentParser
import Foundation

/// `airfield` alone: a directory that is ready to be looked at.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Imports the bundled airports if there are none yet, and serves the directory.")

  @Option(
    help: ArgumentHelp(
      "The database; without it, one in the data folder of this user.", valueName: "path"))
  var database: String?

  @OptionGroup var address: AddressOptions

  func run() async throws {
    let directory = try AirportDirectory(path: try database ?? DataFolder.current.databasePath())
    if try await directory.count() == 0 {
      Console.standard.report("Importing the bundled airports into \(directory.path)")
      try await DirectoryImport(directory: directory, console: .standard)
        .run(try BundledAirports.path())
    }
    try await DirectoryService(directory: directory, console: .standard).run(port: address.port)
  }
}
