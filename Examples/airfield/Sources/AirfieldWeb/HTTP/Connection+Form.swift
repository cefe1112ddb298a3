import Fieldstone
import FlyingSocks
import Foundation

extension Connection {
  /// Receives a form with a file as it comes, and answers it; false where the connection ends with
  /// that.
  func receive(
    _ request: SiteRequest, _ length: Int, _ keepsAlive: Bool, _ reader: inout RequestReader,
    _ deadline: Deadline
  ) async throws -> Bool {
    // Clients that ask before they send get their answer before they have sent.
    let asks = request.headers["expect"]?.lowercased() == "100-continue"
    let reception: FormReception =
      if let refusal = origin.refusal(of: request) {
        .refused(SiteResponse(status: 403, text: refusal))
      } else {
        await site.receive(request, length: length)
      }
    switch reception {
    case .refused(let response):
      let isRead = asks ? length == 0 : try await drain(&reader, deadline)
      try await send(response, to: request, keepsAlive && isRead, deadline)
      return isRead
    case .upload(let upload):
      do {
        if asks { try await socket.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
        try await readBody(&reader, deadline) { await upload.take($0) }
      } catch {
        await upload.abandon()
        throw error
      }
      deadline.set(nil)
      try await send(await upload.end(), to: request, keepsAlive, deadline)
      return true
    }
  }

  /// Reads what was refused and lets it go; false where that is too much.
  ///
  /// Most browsers look at an answer only when they have sent everything.
  private func drain(_ reader: inout RequestReader, _ deadline: Deadline) async throws -> Bool {
    guard reader.bodyLeft <= limits.refused else { return false }
    try await readBody(&reader, deadline) { _ in }
    return true
  }

  private func readBody(
    _ reader: inout RequestReader, _ deadline: Deadline, _ take: ([UInt8]) async -> Void
  ) async throws {
    let end = time.uptime + limits.upload
    while reader.bodyLeft > 0 {
      let piece = reader.takeBody()
      if piece.isEmpty {
        deadline.set(min(end, time.uptime + limits.arrival), isWithinRequest: true)
        reader.append(try await socket.read(atMost: 4_096))
      } else {
        await take(piece)
      }
    }
  }
}
