import Foundation

/// Reads a posted form with files (`multipart/form-data`, RFC 7578) from pieces of any size.
///
/// It is a pure state machine, and holds no more than a head or a boundary. It is stricter than the
/// RFC: the body starts with the first boundary, and at most a line break follows the last one. A
/// line that begins with the boundary must be one. A form has at most eight parts.
public struct MultipartReader: Sendable {
  /// An event of the form.
  public enum Event: Sendable, Hashable {
    /// A part begins: the name of its control, and the name of its file if it has one.
    case part(name: String, fileName: String?)
    /// A piece of the part's content.
    case content([UInt8])
    /// The part ends.
    case partEnd
  }

  /// The maximum size of a part's head, in bytes.
  private static let headLimit = 4_096

  /// The maximum number of parts.
  private static let partLimit = 8

  private enum Place { case boundary, afterBoundary, head, content, end }

  private let delimiter: [UInt8]
  private var pending: [UInt8]
  private var place = Place.boundary
  private var parts = 0

  /// Makes a reader for a body of a content type.
  ///
  /// - Throws: ``MultipartError`` if the type has no boundary, or an invalid one.
  public init(contentType: String) throws(MultipartError) {
    guard let values = HeaderValue(Array(contentType.utf8)[...], of: "multipart/form-data"),
      let boundary = values["boundary"], (1...70).contains(boundary.utf8.count),
      boundary.last != " ", boundary.utf8.allSatisfy(Self.isAllowed)
    else { throw .noBoundary }
    delimiter = Array("\r\n--\(boundary)".utf8)
    // No line break precedes the first boundary, so the reader supplies one.
    pending = Array("\r\n".utf8)
  }

  /// Reads the next bytes, in linear time.
  ///
  /// - Throws: ``MultipartError`` if they are malformed; the reader can't be used after that.
  public mutating func feed(_ bytes: [UInt8]) throws(MultipartError) -> [Event] {
    pending += bytes
    var events: [Event] = []
    while try step(&events) {}
    return events
  }

  /// Ends the form.
  ///
  /// - Throws: ``MultipartError/truncated`` if its last boundary is missing.
  public func finish() throws(MultipartError) {
    guard place == .end else { throw .truncated }
  }

  /// Performs one step; false if more bytes are needed.
  private mutating func step(_ events: inout [Event]) throws(MultipartError) -> Bool {
    switch place {
    case .boundary:
      let length = min(pending.count, delimiter.count)
      guard pending.prefix(length).elementsEqual(delimiter.prefix(length)) else {
        throw .malformed("it does not begin with its boundary")
      }
      guard length == delimiter.count else { return false }
      pending.removeFirst(length)
      place = .afterBoundary
    case .afterBoundary:
      guard pending.count >= 2 else { return false }
      if pending.starts(with: Self.lineBreak) {
        parts += 1
        guard parts <= Self.partLimit else { throw .tooManyParts }
        place = .head
      } else if pending.starts(with: Self.last) {
        place = .end
      } else {
        throw .malformed("a line begins as the boundary does")
      }
      pending.removeFirst(2)
    case .head:
      guard let end = position(of: Self.lineBreak + Self.lineBreak) else {
        if pending.count > Self.headLimit { throw .headTooLarge }
        return false
      }
      guard end <= Self.headLimit else { throw .headTooLarge }
      let head = try MultipartHead(pending[..<end])
      events.append(.part(name: head.name, fileName: head.fileName))
      pending.removeFirst(end + 4)
      place = .content
    case .content: return content(&events)
    case .end:
      guard pending.isEmpty || Self.lineBreak.starts(with: pending) else {
        throw .malformed("something follows its last boundary")
      }
      return false
    }
    return true
  }

  private mutating func content(_ events: inout [Event]) -> Bool {
    if let end = position(of: delimiter) {
      emit(end, &events)
      events.append(.partEnd)
      pending.removeFirst(delimiter.count)
      place = .afterBoundary
      return true
    }
    // The last bytes may be the start of a boundary.
    emit(pending.count - (delimiter.count - 1), &events)
    return false
  }

  private mutating func emit(_ count: Int, _ events: inout [Event]) {
    guard count > 0 else { return }
    events.append(.content(Array(pending.prefix(count))))
    pending.removeFirst(count)
  }

  /// The first position of bytes that begin with a carriage return.
  private func position(of bytes: [UInt8]) -> Int? {
    pending.withUnsafeBytes { there in
      guard let start = there.baseAddress else { return nil }
      var index = 0
      while there.count - index >= bytes.count {
        let left = there.count - index - bytes.count + 1
        guard let next = memchr(start + index, Int32(bytes[0]), left) else { return nil }
        index = UnsafeRawPointer(next) - start
        if memcmp(next, bytes, bytes.count) == 0 { return index }
        index += 1
      }
      return nil
    }
  }

  private static let lineBreak = Array("\r\n".utf8)
  private static let last = Array("--".utf8)

  /// The characters that a boundary may contain (RFC 2046).
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "'()+_,-./:=? ".utf8.contains(byte)
    }
  }
}
