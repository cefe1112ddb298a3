import ArgumentParser
import Fieldstone
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
      try await DirectoryImport(directory: directory, journal: journal).run(file, name: name)
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
    try AirportDirectory.require(database)
    try await journal.opened { journal in
      try await AirportDirectory.opened(at: database) { directory in
        try await DirectoryImport(directory: directory, journal: journal).work()
      }
    }
  }
}

/// An import as a person sees it: its progress, its result, and how it ended if it was stopped.
struct DirectoryImport: Sendable {
  let directory: AirportDirectory

  /// The journal, where it is not in the database of the airports.
  var journal: (any Journal)?

  private let console = Console.standard
  private let display = ProgressDisplay(console: .standard)

  /// Imports a file, and prints what became of its rows.
  func run(_ file: String, name: String? = nil) async throws {
    try requireWriting()
    let counts = try await display.around {
      try await importer.run(file, name: name).counts
    } whenStopped: {
      Interrupted.importing(display.counts)
    }
    console.print(counts.sentence + ".")
    guard counts.rejected > 0 else { return }
    console.print("The rejected rows are listed in \(RejectsFile(database: directory.path).path).")
  }

  /// Works on the imports that other processes asked for, until it is cancelled.
  func work() async throws {
    try requireWriting()
    console.report("Working on the imports into \(directory.path) (Ctrl-C stops it)")
    do {
      try await importer.work()
    } catch is CancellationError {
      display.finish()
      console.report("Stopped.")
    }
  }

  private func requireWriting() throws {
    guard !directory.isReadOnly else { throw DirectoryError.readOnly(path: directory.path) }
  }

  private var importer: AirportImporter {
    AirportImporter(directory: directory, journal: journal, isElsewhere: journal != nil) {
      [display] in
      display.show($0)
    } onWait: {
      [display] in
      display.show(wait: $0)
    }
  }
}

extension ImportCounts {
  /// The counts as a sentence without its full stop.
  var sentence: String {
    "\(read) rows read, \(stored) stored, \(updated) updated, \(unchanged) unchanged, "
      + "\(rejected) rejected"
  }
}

/// A file of its own for what an import can't read where it is: it reads its file several times.
enum TemporaryCopy {
  static func ofStandardInput() throws -> URL {
    try make { file in
      while let part = try FileHandle.standardInput.read(upToCount: 1 << 17), !part.isEmpty {
        try file.write(contentsOf: part)
      }
    }
  }

  /// Unpacks a file that is compressed with gzip; nil where it is another one.
  ///
  /// - Parameter name: what the file is called where something is said of it.
  static func unpacked(_ path: String, name: String) throws -> URL? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    guard (try? file.read(upToCount: 2)) == Data([0x1F, 0x8B]) else { return nil }
    return try make { copy in
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["gzip", "-d", "-c", "--", path]
      process.standardOutput = copy
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw MessageError(
          "\(name) is compressed with gzip and can’t be unpacked; unpack it with gunzip, which says "
            + "why, and import what comes out")
      }
    }
  }

  private static func make(_ write: (FileHandle) throws -> Void) throws -> URL {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "airfield-\(UUID().uuidString).csv", directoryHint: .notDirectory)
    // Opening the file says what is wrong where it can't be made.
    _ = FileManager.default.createFile(
      atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    do {
      try write(file)
    } catch {
      try? FileManager.default.removeItem(at: url)
      throw error
    }
    return url
  }
}
