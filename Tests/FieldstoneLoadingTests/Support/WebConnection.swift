import Foundation

/// One connection of a web server, used by one thread.
struct WebConnection: Sendable {
  private let socket: Int32

  init(_ socket: Int32) {
    self.socket = socket
    #if canImport(Darwin)
      var on: Int32 = 1
      setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  func close() {
    #if canImport(Darwin)
      Darwin.close(socket)
    #else
      Glibc.close(socket)
    #endif
  }

  /// Reads a request; nil when the client hung up before it was whole.
  func request() -> WebServer.Request? {
    var bytes: [UInt8] = []
    while true {
      if let request = Self.parse(String(decoding: bytes, as: UTF8.self)) { return request }
      guard let more = receive() else { return nil }
      bytes += more
    }
  }

  /// Sends a reply; tells when it waited for the client to hang up, and that happened.
  func send(_ reply: WebReply, hungUp: () -> Void) {
    reply.holdBefore?.wait()
    var head = "HTTP/1.1 \(reply.status) Status\r\nConnection: close\r\n"
    for (name, value) in reply.headers { head += "\(name): \(value)\r\n" }
    switch reply.length {
    case .honest: head += "Content-Length: \(reply.body.count)\r\n"
    case .claimed(let count): head += "Content-Length: \(count)\r\n"
    case .chunked: head += "Transfer-Encoding: chunked\r\n"
    case .untold: break
    }
    send(Data("\(head)\r\n".utf8))
    guard let fault = reply.fault else {
      send(reply.body, as: reply.length)
      return finish(reply.length)
    }
    send(reply.body.prefix(fault.after), as: reply.length)
    switch fault.1 {
    case .drop: return
    case .hold(let latch): latch.wait()
    case .awaitHangUp:
      while receive() != nil {}
      return hungUp()
    }
    send(reply.body.dropFirst(fault.after), as: reply.length)
    finish(reply.length)
  }

  private func send(_ data: Data, as length: WebReply.Length) {
    guard case .chunked = length else { return send(data) }
    if !data.isEmpty {
      send(Data("\(String(data.count, radix: 16))\r\n".utf8) + data + Data("\r\n".utf8))
    }
  }

  private func finish(_ length: WebReply.Length) {
    if case .chunked = length { send(Data("0\r\n\r\n".utf8)) }
  }

  private func send(_ data: Data) {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = [UInt8](data)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { sendBytes($0, flags) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private func sendBytes(_ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int {
    #if canImport(Darwin)
      Darwin.send(socket, bytes.baseAddress, bytes.count, flags)
    #else
      Glibc.send(socket, bytes.baseAddress, bytes.count, flags)
    #endif
  }

  private func receive() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(socket, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  private static func parse(_ text: String) -> WebServer.Request? {
    guard let end = text.range(of: "\r\n\r\n") else { return nil }
    let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ").map(String.init)
    guard words.count == 3 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...]
        .trimmingCharacters(in: .whitespaces)
    }
    let body = String(text[end.upperBound...])
    guard body.utf8.count >= headers["content-length"].flatMap({ Int($0) }) ?? 0 else { return nil }
    return WebServer.Request(method: words[0], path: words[1], headers: headers, body: body)
  }
}
