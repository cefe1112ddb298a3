import Fieldstone
import FlyingSocks
import Foundation

extension Connection {
  /// Sends a file while it is read; false where the connection ends with that.
  ///
  /// It goes out in chunks, whose last one tells that all of it is there: where reading fails, the
  /// connection ends without it, and browsers show that the file is not whole. Clients of HTTP/1.0
  /// know no chunks, and can't tell.
  func send(
    _ download: SiteDownload, to request: SiteRequest, _ keepsAlive: Bool, _ deadline: Deadline
  ) async throws -> Bool {
    let end = time.uptime + limits.download
    let hasChunks = !request.isOld
    let staysOpen = keepsAlive && hasChunks
    func write(_ bytes: [UInt8]) async throws {
      guard time.uptime < end else { throw CancellationError() }
      deadline.set(min(end, time.uptime + limits.reading))
      try await socket.write(Data(bytes))
      // Work on our side is not the client's fault.
      deadline.set(nil)
    }
    let headers = download.headers.merging(hasChunks ? ["Transfer-Encoding": "chunked"] : [:]) {
      $1
    }
    try await write(
      ResponseHead.bytes(status: 200, headers: headers, length: nil, keepsAlive: staysOpen))
    guard request.method != "HEAD" else { return staysOpen }
    try await download.forEachPiece { piece in
      try await write(hasChunks ? Self.chunk(piece) : piece)
    }
    if hasChunks { try await write(Self.chunk([])) }
    return staysOpen
  }

  /// Bytes as a chunk; an empty one ends the body.
  private static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    Array(String(bytes.count, radix: 16).utf8) + [13, 10] + bytes + [13, 10]
  }
}
