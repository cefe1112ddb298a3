#if INSPECTOR
  import FieldstoneCore
  import FieldstoneServing

  extension Inspector {
    /// Serves the pages at an address of this machine until the task is cancelled.
    ///
    /// At most 64 connections are open at once, of which 32 may follow a page by events, and 16 more
    /// for a short request each. A request arrives within 10 seconds, a silent connection is closed
    /// after 60, and an answer is read within 30. It has no TLS: another address than the loopback's is
    /// for a reverse proxy that has, or for a network of one's own.
    ///
    /// - Parameters:
    ///   - host: the address, as four numbers; `0.0.0.0` for all. Another one than the loopback's
    ///     takes ``InspectorOptions/password``, and its names are in ``InspectorOptions/hosts``.
    ///   - port: the port; 0 takes a free one.
    ///   - onListening: hears the address of the overview once it is open, with the token where there
    ///     is one.
    /// - Throws: ``InspectorStartError``, `SiteServerError`; `CancellationError` once the task is
    ///   cancelled.
    @concurrent
    public func run(
      host: String = "127.0.0.1", port: UInt16,
      onListening: @escaping @Sendable (_ address: String) -> Void
    ) async throws {
      try guardian.options.check(host: host)
      var limits = SiteLimits()
      limits.connections = 64
      limits.streams = 32
      limits.body = RequestGuard.longestBody
      // The inspector checks access itself, as other servers may carry it.
      let server = SiteServer(self, limits: limits, time: time, access: { _ in nil })
      let query = guardian.options.token.map { [("token", $0)] } ?? []
      let path = FormValues.address("\(guardian.prefix)/", query)
      let shown = host == "0.0.0.0" ? "127.0.0.1" : host
      try await server.run(host: host, port: port) { onListening("http://\(shown):\($0)\(path)") }
    }
  }
#endif
