import AirfieldDirectory
import AirfieldScreens
import AirfieldWeb
import Foundation

/// The directory being served until a signal ends it.
struct DirectoryService: Sendable {
  let directory: AirportDirectory
  let console: Console

  /// Serves, and prints the address once it is open.
  func run(port: UInt16) async throws {
    let settings = URL(filePath: directory.path + ".settings.json")
    let site = await DirectorySite(model: AirfieldModel(source: directory, settings: settings))
    let server = DirectoryServer(site: site, port: port)
    do {
      try await server.run { [console] address in
        console.print("Serving \(address) (Ctrl-C stops it)")
      }
    } catch is CancellationError {
      console.report("Stopped.")
    }
  }
}
