import ArgumentParser
import Crypto
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
    var copies: [TemporaryCopy] = []
    defer { for copy in copies { copy.remove() } }
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

  private func showPreview(of source: String, name: String?) async throws {
    // A database that is not there yet is not made.
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "airfield-\(UUID().uuidString)", directoryHint: .isDirectory)
    defer { try? FileManager.default.removeItem(at: folder) }
    var path = database
    // An empty file has no tables yet, and gets none here.
    let file = try? OpenFile.status(of: database)
    let isThere = (file?.st_size ?? 0) > 0
    if !isThere {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      path = folder.appending(path: "empty.sqlite").path
    }
    let preview = try await AirportDirectory.opened(at: path, toRead: isThere) { directory in
      try await ImportPreview.of(source, name: name, in: directory)
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
    if let readOnly = directory.readOnly { throw readOnly }
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
///
/// It is named by its content and always of the same time, so that the import of the same content goes on
/// where one was killed. A lock tells it from one that a killed process has left.
struct TemporaryCopy {
  let path: String
  private let file: OpenFile

  /// Removes it, unless another process imports the same.
  func remove() {
    if (try? file.lock()) == true { unlink(path) }
  }

  static func ofStandardInput() throws -> TemporaryCopy {
    try make { file in
      while let part = try FileHandle.standardInput.read(upToCount: 1 << 17), !part.isEmpty {
        try file.write(contentsOf: part)
      }
    }
  }

  /// Unpacks a file that is compressed with gzip; nil where it is another one.
  ///
  /// - Parameter name: what the file is called where something is said of it.
  static func unpacked(_ path: String, name: String) throws -> TemporaryCopy? {
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

  private static func make(_ write: (FileHandle) throws -> Void) throws -> TemporaryCopy {
    let folder = FileManager.default.temporaryDirectory
    removeLeft(in: folder)
    func path(_ name: String) -> String { folder.appending(path: "airfield-\(name).csv").path }
    let part = path(UUID().uuidString)
    // Under its own name it is not there any more.
    defer { unlink(part) }
    do {
      let file = try OpenFile(part, O_RDONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
      try file.share()
      let writing = try FileHandle(forUpdating: URL(filePath: part))
      defer { try? writing.close() }
      try write(writing)
      try writing.seek(toOffset: 0)
      var checksum = SHA256()
      while let bytes = try writing.read(upToCount: 1 << 17), !bytes.isEmpty {
        checksum.update(data: bytes)
      }
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: part)
      let whole = path(checksum.finalize().map { String(format: "%02x", $0) }.joined())
      if let other = try ours(whole) {
        try other.share()
        // One that was removed meanwhile is no longer there.
        if try OpenFile.status(of: whole)?.st_ino == other.status.st_ino {
          return TemporaryCopy(path: whole, file: other)
        }
      }
      guard rename(part, whole) == 0 else { throw OpenFile.Failure(code: errno) }
      return TemporaryCopy(path: whole, file: file)
    } catch let failure as OpenFile.Failure {
      throw MessageError("a copy can’t be kept in \(folder.path): \(failure.message)")
    }
  }

  /// Removes the copies of processes that were killed.
  private static func removeLeft(in folder: URL) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.wholeMatch(of: /airfield-[0-9A-Fa-f-]{36,64}\.csv/) != nil {
      let path = folder.appending(path: name).path
      if let file = try? ours(path), (try? file.lock()) == true { unlink(path) }
    }
  }

  /// The file at a path where it belongs to this user; nil where there is none or another's.
  private static func ours(_ path: String) throws(OpenFile.Failure) -> OpenFile? {
    let file = try OpenFile.ifThere(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    let status = try file?.status
    return status?.st_uid == geteuid() ? file : nil
  }
}
