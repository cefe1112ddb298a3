#if Serving
  import FieldstoneCore
  import FlyingSocks
  import Foundation

  /// One connection: it reads requests, writes responses, and closes on clients that are too slow.
  struct SiteConnection: Sendable {
    let socket: AsyncSocket
    let site: any Site
    let access: SiteAccess?
    let limits: SiteLimits
    let time: TimeSource
    let place: OpenConnections.Place

    var deadline: ConnectionDeadline { place.deadline }

    /// Serves until the client disconnects, breaks a rule or misses a deadline.
    func serve() async {
      await withTaskGroup { group in
        group.addTask { await exchange() }
        group.addTask { await deadline.passed(time) }
        await group.next()
        let lastWords = deadline.lastWords(time)
        if !lastWords.isEmpty { socket.writeAtOnce(Data(lastWords)) }
        group.cancelAll()
      }
      try? socket.close()
      place.leave()
    }

    private func exchange() async {
      var reader = RequestReader(limits: limits)
      do {
        var isIdle = true
        while true {
          switch reader.next() {
          case .more:
            if reader.takeQuestion() { try await socket.write(Self.goOn) }
            reader.append(try await socket.read(atMost: 4_096))
            if isIdle, reader.isWithinRequest {
              // The time runs from the first byte; later bytes do not extend it.
              guard place.work() else { return }
              isIdle = false
              setArrival()
            }
            continue
          case .refused(let status):
            deadline.set(time.uptime + limits.reading)
            try await socket.write(Data(Self.refusal(status)))
            if status == 413 { try await dropBody() }
            return
          case .request(let request, let keepsAlive):
            // The client's deadline excludes the server's own work.
            deadline.set(nil)
            guard try await answer(request, keepsAlive && !place.isShort) else { return }
          case .body(let request, let length, let keepsAlive):
            let staysOpen = keepsAlive && !place.isShort
            guard try await receive(request, length, staysOpen, &reader) else { return }
          }
          if reader.isWithinRequest {
            setArrival()
          } else {
            isIdle = true
            place.rest()
            deadline.set(time.uptime + limits.silence)
          }
        }
      } catch {
        // The client has disconnected or missed a deadline, so it would not read a response.
      }
    }

    /// Reads what the client still sends, until it has the response.
    ///
    /// If the connection was closed with unread bytes, the system would reset it, and a client that
    /// sends first and reads then would see no response.
    private func dropBody() async throws {
      shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
      var left = limits.refusedBody
      while left > 0 { left -= try await socket.read(atMost: 1 << 16).count }
    }

    private func setArrival() {
      let longest = place.isShort ? limits.shortArrival : limits.arrival
      deadline.set(time.uptime + longest, orSend: Self.tooSlow)
    }

    /// Answers a request; false if the connection must then be closed.
    private func answer(_ request: SiteRequest, _ keepsAlive: Bool) async throws -> Bool {
      let answer: SiteAnswer =
        if let response = access?.answer(to: request) {
          .response(response)
        } else {
          await site.answer(request)
        }
      switch answer {
      case .response(let response):
        return try await send(response, to: request, keepsAlive)
      case .download(let download):
        guard !place.isShort else {
          return try await send(.busy, to: request, false)
        }
        return try await send(download, to: request, keepsAlive)
      case .events(let stream):
        guard request.method != "HEAD" else {
          await stream.close()
          deadline.set(time.uptime + limits.reading)
          try await socket.write(Self.headOfEvents)
          return false
        }
        guard place.stream() else {
          await stream.close()
          return try await send(.busy, to: request, false)
        }
        do {
          try await send(stream)
        } catch {
          await stream.close()
          throw error
        }
        await stream.close()
        return false
      }
    }

    /// Sends a response; false if the connection must then be closed.
    func send(
      _ response: SiteResponse, to request: SiteRequest, _ keepsAlive: Bool
    ) async throws -> Bool {
      deadline.set(time.uptime + limits.reading)
      // After an interim response the client would take the next response for that of this request.
      let staysOpen = keepsAlive && !ResponseHead.isInterim(response.status)
      try await socket.write(Data(Self.bytes(of: response, to: request, staysOpen)))
      return staysOpen
    }

    static func bytes(
      of response: SiteResponse, to request: SiteRequest, _ keepsAlive: Bool
    ) -> [UInt8] {
      let head = ResponseHead.bytes(
        status: response.status, headers: response.headers, length: response.body.count,
        keepsAlive: keepsAlive)
      // The response to HEAD states the length of a body that it does not have. After the head of a
      // response without content, a client would read a body as the next response.
      guard request.method != "HEAD", ResponseHead.hasContent(response.status) else { return head }
      return head + response.body
    }

    private func send(_ stream: EventStream) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          try await writeInTime(Self.headOfEvents)
          while let bytes = await stream.next() { try await writeInTime(Data(bytes)) }
        }
        // Reading notices a disconnect at once, without waiting for the next write. While bytes
        // arrive it does not suspend; no browser sends any here, so a few end the stream.
        group.addTask {
          var left = Self.unexpected
          while left > 0 { left -= try await socket.read(atMost: left).count }
        }
        defer { group.cancelAll() }
        try await group.next()
      }
    }

    private func writeInTime(_ bytes: Data) async throws {
      deadline.set(time.uptime + limits.reading)
      try await socket.write(bytes)
      deadline.set(nil)
    }

    private static var headOfEvents: Data {
      Data(
        ResponseHead.bytes(
          status: 200, headers: EventStream.headers, length: nil, keepsAlive: false))
    }

    /// The number of bytes at which a client is cut that sends something during an event stream.
    private static let unexpected = 4_096

    private static func refusal(_ status: Int) -> [UInt8] {
      let headers = SiteResponse(status: status, text: "").headers
      return ResponseHead.bytes(status: status, headers: headers, length: 0, keepsAlive: false)
    }

    /// The response to a client that sends its request too slowly.
    static let tooSlow = refusal(408)

    static var goOn: Data { Data("HTTP/1.1 100 Continue\r\n\r\n".utf8) }
  }

  extension AsyncSocket {
    /// Writes as many bytes as fit into the system's buffers, without waiting.
    func writeAtOnce(_ bytes: Data) {
      _ = try? socket.write(bytes)
    }
  }
#endif
