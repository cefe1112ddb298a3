import Fieldstone
import FieldstoneServing

/// A web server for a site, on the loopback address of this machine and nowhere else.
struct DirectoryServer: Sendable {
  private let site: DirectorySite
  private let inspector: DirectoryInspector?
  private let port: UInt16
  private let limits: RequestLimits
  private let time: TimeSource

  /// Makes a server, with the pages of an inspector where there is one; port 0 takes a free one.
  init(
    site: DirectorySite, inspector: DirectoryInspector? = nil, port: UInt16,
    limits: RequestLimits = RequestLimits(), time: TimeSource = .system
  ) {
    self.site = site
    self.inspector = inspector
    self.port = port
    self.limits = limits
    self.time = time
  }

  /// Serves until the task is cancelled, and tells its address once it is open.
  func run(onListening: @escaping @Sendable (_ address: String) -> Void) async throws {
    let pages = InspectedSite(site: site, inspector: inspector?.pages)
    let server = SiteServer(pages, limits: limits.server, time: time) { port in
      SiteAccess(port: port, readers: Self.readers)
    }
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          try await server.run(port: port) { onListening("http://127.0.0.1:\($0)/") }
        }
        group.addTask { try await forgetVisitors() }
        // Unlike waiting for all of them, this ends at the first that throws.
        defer { group.cancelAll() }
        for try await _ in group {}
      }
    } catch SiteServerError.cannotListen(let port, let reason) {
      throw DirectoryServerError.cannotListen(port: port, reason: reason)
    }
  }

  /// Streams take up room here, and so do files that are made: other sites may ask for neither.
  ///
  /// Links from there are welcome; who types the address of a file or has it marked, may have it.
  static let readers: [String: Set<String>] = [
    "/live": ["same-origin"], "/map.txt": ["same-origin"],
    "/export.csv": ["same-origin", "none"], "/import/rejects.csv": ["same-origin", "none"],
  ]

  private func forgetVisitors() async throws {
    while true {
      try await time.sleep(for: .seconds(5))
      await site.visitors.forgetGone()
    }
  }
}

enum DirectoryServerError: DescribedError {
  case cannotListen(port: UInt16, reason: String)

  var message: String {
    switch self {
    case .cannotListen(let port, let reason):
      "cannot serve on port \(port): \(reason); choose another with --port"
    }
  }
}
