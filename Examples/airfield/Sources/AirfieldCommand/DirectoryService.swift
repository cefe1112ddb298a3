import AirfieldDirectory
import AirfieldWeb

/// The directory being served until a signal ends it.
struct DirectoryService: Sendable {
  let directory: AirportDirectory
  let console: Console

  /// Serves, and prints the address once it is open.
  func run(port: UInt16) async throws {
    let server = DirectoryServer(site: DirectorySite(directory: directory), port: port)
    do {
      try await server.run { [console] address in
        console.print("Serving \(address) (Ctrl-C stops it)")
      }
    } catch is CancellationError {
      console.report("Stopped.")
    }
  }
}
