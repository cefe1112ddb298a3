import Fieldstone
import FlyingSocks
import Foundation

/// One connection: requests in, answers out, and an end to those who keep us waiting.
struct Connection: Sendable {
  let socket: AsyncSocket
  let site: DirectorySite
  let origin: RequestOrigin
  let limits: RequestLimits
  let time: TimeSource

  /// Serves until the client goes, breaks a rule or lets a time pass.
  func serve() async {
    let deadline = Deadline(time.uptime + limits.silence)
    await withTaskGroup { group in
      group.addTask { await exchange(deadline) }
      group.addTask { await deadline.passed(time) }
      await group.next()
      if deadline.isPassed(time), deadline.isWithinRequest {
        try? socket.write(refusal(408))
      }
      group.cancelAll()
    }
    try? socket.close()
  }

  private func exchange(_ deadline: Deadline) async {
    var reader = RequestReader(limits: limits)
    do {
      while true {
        switch reader.next() {
        case .more:
          let bytes = try await socket.read(atMost: 4_096)
          if !reader.isWithinRequest {
            deadline.set(time.uptime + limits.arrival, isWithinRequest: true)
          }
          reader.append(bytes)
        case .refused(let status):
          deadline.set(time.uptime + limits.reading)
          try await socket.write(Data(refusal(status)))
          return
        case .request(let request, let keepsAlive):
          // Work on our side is not the client's fault.
          deadline.set(nil)
          guard try await answer(request, keepsAlive, deadline), keepsAlive else { return }
          awaitNext(reader, deadline)
        case .form(let request, let length, let keepsAlive):
          guard try await receive(request, length, keepsAlive, &reader, deadline), keepsAlive else {
            return
          }
          awaitNext(reader, deadline)
        }
      }
    } catch {
      // The client has gone, or its time is over: there is nobody left to tell.
    }
  }

  private func awaitNext(_ reader: RequestReader, _ deadline: Deadline) {
    deadline.set(
      time.uptime + (reader.isWithinRequest ? limits.arrival : limits.silence),
      isWithinRequest: reader.isWithinRequest)
  }

  /// Answers a request; false where the connection ends with that.
  private func answer(
    _ request: SiteRequest, _ keepsAlive: Bool, _ deadline: Deadline
  ) async throws -> Bool {
    let answer: SiteAnswer =
      if let refusal = origin.refusal(of: request) {
        .response(SiteResponse(status: 403, text: refusal))
      } else {
        await site.answer(request)
      }
    switch answer {
    case .response(let response):
      try await send(response, to: request, keepsAlive, deadline)
      return true
    case .download(let download):
      return try await send(download, to: request, keepsAlive, deadline)
    case .events(let stream):
      do {
        try await send(stream, deadline)
      } catch {
        await stream.close()
        throw error
      }
      await stream.close()
      return false
    }
  }

  func send(
    _ response: SiteResponse, to request: SiteRequest, _ keepsAlive: Bool, _ deadline: Deadline
  ) async throws {
    deadline.set(time.uptime + limits.reading)
    var bytes = ResponseHead.bytes(
      status: response.status, headers: response.headers,
      length: response.status == 204 ? nil : response.body.count, keepsAlive: keepsAlive)
    // The answer to HEAD tells the length of a body that it does not have.
    if request.method != "HEAD" { bytes += response.body }
    try await socket.write(Data(bytes))
  }

  private func send(_ stream: LiveStream, _ deadline: Deadline) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await socket.write(
          Data(
            ResponseHead.bytes(
              status: 200, headers: LiveStream.headers, length: nil, keepsAlive: false)))
        for await bytes in stream {
          deadline.set(time.uptime + limits.reading)
          try await socket.write(Data(bytes))
          deadline.set(nil)
        }
      }
      // A client that goes is noticed at once, and not when something is written to it.
      group.addTask { _ = try await socket.read(atMost: 1) }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func refusal(_ status: Int) -> [UInt8] {
    let response = SiteResponse(status: status, text: "")
    return ResponseHead.bytes(
      status: status, headers: response.headers, length: 0, keepsAlive: false)
  }
}

extension AsyncSocket {
  /// Writes what fits into the buffers of the system, and does not wait.
  fileprivate func write(_ bytes: [UInt8]) throws {
    _ = try socket.write(Data(bytes))
  }
}
