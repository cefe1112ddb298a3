#if Serving
  import FieldstoneCore
  import FlyingSocks
  import Foundation

  extension SiteConnection {
    /// Sends a file while it is made; false if the connection must then be closed.
    ///
    /// The file is sent in chunks; the last chunk marks it as complete.
    func send(
      _ download: SiteDownload, to request: SiteRequest, _ keepsAlive: Bool
    ) async throws -> Bool {
      let end = time.uptime + limits.transfer
      let hasChunks = !request.isHTTP10
      let staysOpen = keepsAlive && hasChunks
      let write: SiteDownload.Take = { bytes in
        guard time.uptime < end else { throw CancellationError() }
        deadline.set(min(end, time.uptime + limits.reading))
        try await socket.write(Data(bytes))
        // The client's deadline excludes the server's own work.
        deadline.set(nil)
      }
      try await write(
        ResponseHead.bytes(
          status: 200, headers: download.headers, length: nil, isChunked: hasChunks,
          keepsAlive: staysOpen))
      guard request.method != "HEAD" else { return staysOpen }
      try await download.forEachPiece { piece in
        // An empty chunk would end the body.
        if !piece.isEmpty { try await write(hasChunks ? Self.chunk(piece) : piece) }
      }
      if hasChunks { try await write(Self.chunk([])) }
      return staysOpen
    }

    private static func chunk(_ bytes: [UInt8]) -> [UInt8] {
      Array(String(bytes.count, radix: 16).utf8) + [13, 10] + bytes + [13, 10]
    }

    /// Answers a form with files while it arrives; false if the connection must then be closed.
    func receive(
      _ request: SiteRequest, _ length: Int, _ keepsAlive: Bool, _ reader: inout RequestReader
    ) async throws -> Bool {
      // A client that expects `100 Continue` can be refused before it sends the body.
      let asks = request.headers["expect"] != nil && !request.isHTTP10
      let incoming = IncomingBody(reader, asks: asks, end: time.uptime + limits.transfer, self)
      deadline.set(nil)
      let response: SiteResponse
      if place.isShort {
        response = .busy
      } else if let refusal = access?.answer(to: request) {
        response = refusal
      } else {
        response = await site.answer(
          request, body: SiteBody(length: length) { try await incoming.next() })
      }
      // The client has disconnected or was too slow, so it would not read a response.
      if let failure = await incoming.failure { throw failure }
      let isRead = try await incoming.drain(atMost: limits.refusedBody)
      reader = await incoming.reader
      return try await send(response, to: request, keepsAlive && isRead)
    }
  }

  /// The body of a request, read on demand.
  private actor IncomingBody {
    private(set) var reader: RequestReader
    private(set) var failure: (any Error)?
    private var asks: Bool
    private let end: Duration
    private let connection: SiteConnection

    init(_ reader: RequestReader, asks: Bool, end: Duration, _ connection: SiteConnection) {
      self.reader = reader
      self.asks = asks
      self.end = end
      self.connection = connection
    }

    func next() async throws -> [UInt8]? {
      if let failure { throw failure }
      do {
        while reader.bodyLeft > 0 {
          let piece = reader.takeBody()
          guard piece.isEmpty else { return piece }
          if asks { try await connection.socket.write(SiteConnection.goOn) }
          asks = false
          let (time, limits) = (connection.time, connection.limits)
          connection.deadline.set(
            min(end, time.uptime + limits.arrival), isWithinRequest: true)
          reader.append(try await connection.socket.read(atMost: 4_096))
          connection.deadline.set(nil)
        }
        return nil
      } catch {
        failure = error
        throw error
      }
    }

    /// Reads and drops the rest; false if it is too long, or the client awaits `100 Continue`.
    ///
    /// Most browsers read a response only after they have sent everything.
    func drain(atMost most: Int) async throws -> Bool {
      if reader.bodyLeft == 0 { return true }
      guard !asks, reader.bodyLeft <= most else { return false }
      while try await next() != nil {}
      return true
    }
  }
#endif
