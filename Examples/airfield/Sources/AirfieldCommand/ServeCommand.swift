import AirfieldDirectory
import ArgumentParser
import Foundation

/// `airfield serve --database PATH --port N`.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serves the directory as pages on this machine's loopback address.",
    discussion: """
      The database keeps a nightly export that was set up: any server of it makes the exports, at \
      the time that was given last. If no server ran at that time, one export is made as soon as one \
      runs. The page /exports shows how it stands.
      """)

  @Option(help: ArgumentHelp("The database to serve.", valueName: "path"))
  var database: String

  @Flag(help: "Writes nothing to the database, also where it can be written.")
  var readOnly = false

  @OptionGroup var address: AddressOptions

  @OptionGroup var nightly: NightlyOptions

  func run() async throws {
    guard FileManager.default.fileExists(atPath: database) else {
      throw DirectoryError.missing(path: database)
    }
    let (address, plan, isRemoved) = (address, try nightly.plan, nightly.isRemoved)
    try await AirportDirectory.opened(at: database, toRead: readOnly) { directory in
      if plan != nil || isRemoved {
        guard !directory.isReadOnly else { throw DirectoryError.readOnly(path: directory.path) }
        let exports = try NightlyExports(directory: directory)
        if let plan { try await exports.set(plan) } else { try await exports.remove() }
      }
      try await DirectoryService(directory: directory, console: .standard).run(address)
    }
  }
}
