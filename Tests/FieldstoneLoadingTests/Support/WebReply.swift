import Foundation

/// What a web server of the tests answers, lies and faults included.
struct WebReply: Sendable {
  /// How the length of the body is told.
  enum Length: Sendable {
    case honest
    /// Any number, true or not.
    case claimed(Int)
    /// In chunks, without a length.
    case chunked
    /// Not at all: the body ends with the connection.
    case untold
  }

  /// What happens after some of the body.
  enum Fault: Sendable {
    /// The connection is closed.
    case drop
    /// The test lets it go on.
    case hold(Latch)
    /// The server waits until the client hangs up.
    case awaitHangUp
  }

  var status = 200
  var headers: [(String, String)] = []
  var body = Data()
  var length = Length.honest
  /// Held before the first byte.
  var holdBefore: Latch?
  /// After so many bytes of the body something happens.
  var fault: (after: Int, Fault)?

  init(
    status: Int = 200, headers: [(String, String)] = [], body: String = "",
    length: Length = .honest, holdBefore: Latch? = nil, fault: (after: Int, Fault)? = nil
  ) {
    self.init(
      status: status, headers: headers, data: Data(body.utf8), length: length,
      holdBefore: holdBefore, fault: fault)
  }

  init(
    status: Int = 200, headers: [(String, String)] = [], data: Data, length: Length = .honest,
    holdBefore: Latch? = nil, fault: (after: Int, Fault)? = nil
  ) {
    self.status = status
    self.headers = headers
    body = data
    self.length = length
    self.holdBefore = holdBefore
    self.fault = fault
  }
}

/// A gate for the threads of a server: once open, for ever open.
final class Latch: Sendable {
  private let group = DispatchGroup()
  private let isOpen = Flag()

  init() { group.enter() }

  deinit { open() }

  func open() {
    if isOpen.set() { group.leave() }
  }

  /// Blocks the thread until the latch is open.
  func wait() { group.wait() }
}
