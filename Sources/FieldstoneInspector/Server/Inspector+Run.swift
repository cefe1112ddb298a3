#if INSPECTOR
  import FieldstoneCore
  import FieldstoneServing
  package import Foundation

  extension Inspector {
    /// The token of the printed address; nil for pages without one.
    package var printedToken: String? { guardian.options.token }

    /// Serves the pages at an address of this machine until the task is cancelled.
    ///
    /// At most 64 connections are open at once, of which 32 may follow a page by events, and 16
    /// more for a short request each. A request must arrive within 10 seconds, a silent connection
    /// is closed after 60, and a response must be read within 30. There is no TLS: use an address
    /// other than the loopback address only behind a reverse proxy with TLS, or on a private
    /// network.
    ///
    /// - Parameters:
    ///   - host: the address, as four numbers; `0.0.0.0` for all. An address other than the
    ///     loopback address requires ``InspectorOptions/password``. The pages are served under the
    ///     printed address, too; other names of it must be in ``InspectorOptions/hosts``.
    ///   - port: the port; 0 for any free one.
    ///   - onListening: called with the address of the overview once it is open, including the
    ///     ``InspectorOptions/token``; nil prints the address to standard output. With a token, the
    ///     loopback address is a random name under `localhost`, which keeps the cookie from other
    ///     servers of this machine. In a browser that does not resolve it, replace the name with
    ///     `127.0.0.1`. Of all addresses, `0.0.0.0`, the first of ``InspectorOptions/hosts`` that is
    ///     not this machine's loopback name stands in it.
    /// - Throws: ``InspectorStartError``, `SiteServerError`; `CancellationError` once the task is
    ///   cancelled.
    @concurrent
    public func run(
      host: String = "127.0.0.1", port: UInt16,
      onListening: (@Sendable (_ address: String) -> Void)? = nil
    ) async throws {
      try guardian.options.check(host: host)
      var limits = SiteLimits()
      limits.connections = 64
      limits.streams = 32
      limits.body = RequestGuard.longestBody
      let query = printedToken.map { [("token", $0)] } ?? []
      let path = FormValues.address("\(guardian.prefix)/", query)
      let own = printedToken == nil ? nil : guardian.loopbackName
      let others = guardian.options.hosts.subtracting(InspectorOptions.loopbackHosts).sorted()
      let shown =
        switch host {
        case "0.0.0.0": others.first ?? own ?? "127.0.0.1"
        case "127.0.0.1": own ?? host
        default: host
        }
      var served = self
      served.guardian = guardian.admitting(shown)
      // The inspector checks access itself, because other servers may serve it.
      let server = SiteServer(served, limits: limits, time: time, access: { _ in nil })
      try await server.run(host: host, port: port) { port in
        let address = "http://\(shown):\(port)\(path)"
        if let onListening { onListening(address) } else { Self.announce(address) }
      }
    }

    /// Prints the address of the pages at once, even if standard output is a file or a pipe.
    package static func announce(_ address: String, to output: FileHandle = .standardOutput) {
      let hint =
        address.contains(".localhost:")
        ? "If the browser does not find that name, write 127.0.0.1 in its place.\n" : ""
      try? output.write(contentsOf: Data("The inspector's pages: \(address)\n\(hint)".utf8))
    }
  }
#endif
