import AirfieldDirectory
import ArgumentParser
import Foundation

/// `airfield` alone: a directory that is ready to be looked at.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Imports the bundled airports if there are none yet, and serves the directory.",
    discussion: """
      An import of the bundled airports that was stopped before its end goes on.
      """)

  @Option(
    help: ArgumentHelp(
      "The database; without it, one in the data folder of this user.", valueName: "path"))
  var database: String?

  @OptionGroup var address: AddressOptions

  func run() async throws {
    let address = address
    try await AirportDirectory.opened(
      at: try database ?? DataFolder.current.databasePath()
    ) { directory in
      try await prepare(directory)
      try await DirectoryService(directory: directory, console: .standard).run(address)
    }
  }

  private func prepare(_ directory: AirportDirectory) async throws {
    if !directory.isReadOnly, try await directory.needsBundledAirports() {
      Console.standard.report("Importing the bundled airports into \(directory.path)")
      let file = try BundledAirports.path()
      try await directory.importingBundledAirports {
        try await DirectoryImport(directory: directory, console: .standard).run(file)
      }
    }
  }
}
