import AirfieldDirectory
import AirfieldScreens
import AirfieldWeb
import Foundation

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
      source: directory, settings: settings, imports: imports, nightly: nightly)
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
