import AirfieldDirectory
import ArgumentParser
import FieldstoneDurable
import Foundation

/// `airfield import FILE --database PATH`.
struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Imports airports from a CSV file.",
    discussion: """
      Rows that are no airports are passed over and listed in PATH.rejects.csv. A file that can't \
      be imported at all ends the command with status 2 and changes nothing. An import that was \
      stopped or killed goes on from there when the same command is given again. A column that \
      the file lacks stays as it is; an empty value clears it.
      """)

  @Argument(
    help: """
      The CSV file to import, UTF-8, with a header; - for standard input. Values are separated by \
      commas, semicolons or tabs. It may be compressed with gzip.
      """)
  var file: String

  @Option(help: ArgumentHelp("The database to import into.", valueName: "path"))
  var database: String

  @Option(
    help: ArgumentHelp(
      "The PostgreSQL database to keep the journal in, so that airfield work can do parts of the import.",
      valueName: "postgresql://…"))
  var journal: ImportJournal?

  @Flag(help: "Says what would be new, changed and cleared, and changes nothing.")
  var preview = false

  func run() async throws {
    var copies: [URL] = []
    defer { for copy in copies { try? FileManager.default.removeItem(at: copy) } }
    if file == "-" { copies.append(try TemporaryCopy.ofStandardInput()) }
    let name = copies.isEmpty ? file : "standard input"
    if let copy = try TemporaryCopy.unpacked(copies.last?.path ?? file, name: name) {
      copies.append(copy)
    }
    try await run(copies.last?.path ?? file, name: copies.isEmpty ? nil : name)
  }

  private func run(_ file: String, name: String?) async throws {
    // Looked at first, so that a wrong name does not leave an empty database behind.
    try ImportFile.inspect(file, name: name)
    if preview { return try await showPreview(of: file, name: name) }
    guard let journal else { return try await store(file, name: name, journal: nil) }
    try await journal.opened { try await store(file, name: name, journal: $0) }
  }

  private func store(_ file: String, name: String?, journal: (any Journal)?) async throws {
    try await AirportDirectory.opened(at: database) { directory in
      guard !directory.isReadOnly else { throw DirectoryError.readOnly(path: directory.path) }
      try await DirectoryImport(directory: directory, journal: journal, console: .standard)
        .run(file, name: name)
    }
  }

  private func showPreview(of file: String, name: String?) async throws {
    // A database that is not there yet is not made.
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "airfield-\(UUID().uuidString)", directoryHint: .isDirectory)
    defer { try? FileManager.default.removeItem(at: folder) }
    var path = database
    if !FileManager.default.fileExists(atPath: database) {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      path = folder.appending(path: "empty.sqlite").path
    }
    let preview = try await AirportDirectory.opened(at: path) { directory in
      try await ImportPreview.of(file, name: name, in: directory)
    }
    for line in preview.lines { Console.standard.print(line) }
  }
}
