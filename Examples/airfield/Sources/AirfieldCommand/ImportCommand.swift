import AirfieldDirectory
import ArgumentParser

/// `airfield import FILE --database PATH`.
struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Imports airports from a CSV file.",
    discussion: """
      Rows that are no airports are passed over and listed in PATH.rejects.csv. A file that can't \
      be imported at all ends the command with status 2 and changes nothing. An import that was \
      stopped or killed goes on from there when the same command is given again.
      """)

  @Argument(help: "The CSV file to import, UTF-8, with a header.")
  var file: String

  @Option(help: ArgumentHelp("The database to import into.", valueName: "path"))
  var database: String

  func run() async throws {
    // Looked at first, so that a wrong name does not leave an empty database behind.
    try ImportFile.inspect(file)
    let directory = try AirportDirectory(path: database)
    try await DirectoryImport(directory: directory, console: .standard).run(file)
  }
}
