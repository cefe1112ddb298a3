#if Inspector
  import FieldstoneCore
  import FlyingSocks
  import Foundation

  /// One connection: requests in, answers out, and an end to clients that keep it waiting.
  struct InspectorConnection: Sendable {
    let socket: AsyncSocket
    let inspector: Inspector
    let limits: ConnectionLimits

    private var time: TimeSource { inspector.time }

    /// Serves until the client goes, breaks a rule or lets a time pass.
    func serve() async {
      let deadline = ConnectionDeadline(time.uptime + limits.silence)
      await withTaskGroup { group in
        group.addTask { await exchange(deadline) }
        group.addTask { await deadline.passed(time) }
        await group.next()
        group.cancelAll()
      }
      try? socket.close()
    }

    private func exchange(_ deadline: ConnectionDeadline) async {
      var reader = RequestReader(limits: limits)
      do {
        while true {
          switch reader.next() {
          case .more:
            let bytes = try await socket.read(atMost: 4_096)
            if !reader.isWithinRequest { deadline.set(time.uptime + limits.arrival) }
            reader.append(bytes)
          case .refused(let status):
            let answer = InspectorResponse(status: status, text: "The request can't be read.")
            try await send(answer, keepsAlive: false, deadline)
            return
          case .request(let request, let keepsAlive):
            // The time that the journal takes is not the client's.
            deadline.set(nil)
            let answer = await inspector.response(to: request)
            try await send(answer, keepsAlive: keepsAlive, deadline)
            guard keepsAlive else { return }
            deadline.set(time.uptime + (reader.isWithinRequest ? limits.arrival : limits.silence))
          }
        }
      } catch {
        // The client has gone, or its time is over: nobody is left to tell.
      }
    }

    private func send(
      _ response: InspectorResponse, keepsAlive: Bool, _ deadline: ConnectionDeadline
    ) async throws {
      deadline.set(time.uptime + limits.reading)
      var head = "HTTP/1.1 \(response.status) \(Self.reason(response.status))\r\n"
      for (name, value) in response.headers.sorted(by: { $0.key < $1.key }) {
        // A line break within a value would begin another header.
        head += "\(name): \(value.filter { !$0.isNewline })\r\n"
      }
      head += "Content-Length: \(response.body.count)\r\n"
      head += "Connection: \(keepsAlive ? "keep-alive" : "close")\r\n\r\n"
      try await socket.write(Data(head.utf8) + response.body)
    }

    private static func reason(_ status: Int) -> String {
      switch status {
      case 200: "OK"
      case 303: "See Other"
      case 400: "Bad Request"
      case 401: "Unauthorized"
      case 403: "Forbidden"
      case 404: "Not Found"
      case 405: "Method Not Allowed"
      case 409: "Conflict"
      case 411: "Length Required"
      case 413: "Content Too Large"
      case 414: "URI Too Long"
      case 415: "Unsupported Media Type"
      case 422: "Unprocessable Content"
      case 431: "Request Header Fields Too Large"
      case 503: "Service Unavailable"
      case 505: "HTTP Version Not Supported"
      default: "Internal Server Error"
      }
    }
  }
#endif
