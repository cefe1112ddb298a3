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
      try Task.checkCancellation()
      let isRead = try await incoming.drain(
        orSend: Self.bytes(of: response, to: request, false))
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
    /// Whether the site has asked for the body.
    private var isWanted = false
    private var isAnswered = false
    private var isReading = false
    /// The deadline for the whole rest of the body; nil for one of each piece.
    private var endOfRest: Duration?
    private var lastWords = SiteConnection.tooSlow

    init(_ reader: RequestReader, asks: Bool, end: Duration, _ connection: SiteConnection) {
      self.reader = reader
      self.asks = asks
      self.end = end
      self.connection = connection
    }

    /// The next piece for the site.
    func next() async throws -> [UInt8]? {
      guard !isAnswered else {
        throw MessageError("The site has answered the request; read its body before that.")
      }
      isWanted = true
      return try await piece()
    }

    private func piece() async throws -> [UInt8]? {
      if let failure { throw failure }
      // While one call waits for bytes, the actor runs others, which could swap the pieces.
      guard !isReading else {
        throw MessageError("Another task reads this body; read it from one task at a time.")
      }
      isReading = true
      defer { isReading = false }
      while reader.bodyLeft > 0 {
        let piece = reader.takeBody()
        guard piece.isEmpty else { return piece }
        try await receive()
      }
      return nil
    }

    private func receive() async throws {
      let (time, limits) = (connection.time, connection.limits)
      do {
        if asks { try await connection.socket.write(SiteConnection.goOn) }
        asks = false
        connection.deadline.set(
          endOfRest ?? min(end, time.uptime + limits.arrival), orSend: lastWords)
        reader.append(try await connection.socket.read(atMost: 4_096))
        if endOfRest == nil { connection.deadline.set(nil) }
      } catch let error as CancellationError {
        // The reading task was cancelled, possibly by the site alone, which can still answer. Its
        // own work is not the client's.
        connection.deadline.set(nil)
        throw error
      } catch {
        failure = error
        throw error
      }
    }

    /// Reads and drops the rest; false if it is too long, or the client awaits `100 Continue`.
    ///
    /// Most browsers read a response only after they have sent everything. A client that takes too
    /// long is sent the response at once.
    func drain(orSend lastWords: [UInt8]) async throws -> Bool {
      isAnswered = true
      if reader.bodyLeft == 0 { return true }
      let limits = connection.limits
      // A task of the site that still reads would take bytes of the next request.
      guard !asks, !isReading, reader.bodyLeft <= limits.refusedBody else { return false }
      self.lastWords = lastWords
      if !isWanted {
        // No code reads this body. One deadline holds for the whole body, also if it comes byte by
        // byte.
        let longest = connection.place.isShort ? limits.shortArrival : limits.reading
        endOfRest = connection.time.uptime + longest
      }
      while try await piece() != nil {}
      return true
    }
  }
#endif
