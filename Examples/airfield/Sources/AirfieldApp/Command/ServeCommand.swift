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
    try AirportDirectory.require(database)
    let (address, plan, isRemoved) = (address, try nightly.plan, nightly.isRemoved)
    try await AirportDirectory.opened(at: database, toRead: readOnly) { directory in
      if plan != nil || isRemoved {
        if let readOnly = directory.readOnly { throw readOnly }
        let exports = try NightlyExports(directory: directory)
        if let plan { try await exports.set(plan) } else { try await exports.remove() }
      }
      try await DirectoryService(directory: directory, console: .standard).run(address)
    }
  }
}

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
        try await DirectoryImport(directory: directory).run(file)
      }
    }
  }
}

/// Where pages are served, and which.
struct AddressOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The port to serve on; 0 takes a free one.", valueName: "n"))
  var port: UInt16 = 8470

  @Flag(
    name: .customLong("inspector"),
    help: "Also shows and steers imports, lists and forms, in pages under /inspector.")
  var hasInspector = false
}

/// The nightly export that a server is to make.
struct NightlyOptions: ParsableArguments {
  @Option(
    name: .customLong("nightly-export"),
    help: ArgumentHelp(
      "Writes all airports into this folder each night, also when later started without it.",
      valueName: "folder"))
  var folder: String?

  @Option(help: ArgumentHelp("The time of the nightly export.", valueName: "hh:mm"))
  var at: String?

  @Option(
    help: ArgumentHelp(
      "The time zone of that time, such as Europe/Berlin; that of this machine unless given.",
      valueName: "name"))
  var zone: String?

  @Option(
    help: ArgumentHelp(
      "How many files stay, the newest ones; \(NightlyPlan.kept) unless given.", valueName: "n"))
  var keep: Int?

  @Flag(name: .customLong("no-nightly-export"), help: "Ends the nightly export; its files stay.")
  var isRemoved = false

  func validate() throws {
    if folder != nil, isRemoved {
      throw ValidationError("Give either --nightly-export or --no-nightly-export.")
    }
    guard folder == nil else { return }
    for (name, isGiven) in [("at", at != nil), ("zone", zone != nil), ("keep", keep != nil)]
    where isGiven {
      throw ValidationError("--\(name) is of a nightly export; give --nightly-export, too.")
    }
  }

  /// The plan that was asked for; nil for none.
  var plan: NightlyPlan? {
    get throws {
      try folder.map {
        try NightlyPlan(
          folder: $0, at: at ?? NightlyPlan.time, zone: zone, keeping: keep ?? NightlyPlan.kept)
      }
    }
  }
}

/// The directory being served until a signal ends it.
struct DirectoryService: Sendable {
  let directory: AirportDirectory
  let console: Console

  /// Serves, and prints the address once it is open.
  func run(_ address: AddressOptions) async throws {
    let settings = URL(filePath: directory.path + ".settings.json")
    let imports = try directory.isReadOnly ? nil : DirectoryImports(directory: directory)
    let nightly = try directory.isReadOnly ? nil : NightlyExports(directory: directory)
    if directory.isReadOnly {
      console.report("\(directory.path) can’t be written: nothing in it can be changed.")
    }
    let model = await AirfieldModel(
      source: AirportSource(directory), settings: settings, imports: imports, nightly: nightly)
    var inspector: DirectoryInspector?
    if address.hasInspector {
      inspector = await DirectoryInspector(
        model: model, directory: directory, imports: imports, nightly: nightly)
    }
    let server = DirectoryServer(
      site: await DirectorySite(model: model), inspector: inspector, port: address.port)
    await imports?.tidy()
    // Before the first visitor: an import that was under way is, and no other may begin.
    await model.importing?.load()
    // A page that was open before the server was started anew asks for events alone.
    await model.nightly?.load()
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        // Stopped, it gives an import that is under way back, to go on with the next start.
        if let imports { group.addTask { try await imports.run() } }
        if let nightly { group.addTask { try await nightly.run() } }
        group.addTask { try await model.followOthers() }
        group.addTask { [console, inspector] in
          try await server.run { address in
            console.print("Serving \(address) (Ctrl-C stops it)")
            if let inspector { console.print("Inspector: \(inspector.address(at: address))") }
          }
        }
        defer { group.cancelAll() }
        try await group.next()
      }
    } catch is CancellationError {
      console.report("Stopped.")
    }
  }
}
