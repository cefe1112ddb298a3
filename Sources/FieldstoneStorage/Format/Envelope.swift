import Foundation

/// The line of text before a content that has a version and a checksum.
///
///     fieldstone crc32c=7f2c01aa format=1 schema=3 length=120
///
/// The checksum is of all that follows it, the rest of the line included, so nothing in the file
/// can change unnoticed. There is one way only to write each line.
struct Envelope: Equatable {
  var schema: Int
  var payload: Data

  private static let beginning = Array("fieldstone crc32c=".utf8)
  private static let checksumLength = 8
  /// A line longer than this is none of ours.
  private static let longestLine = 160
  private static let format = 1

  enum Reading: Equatable {
    case envelope(Envelope)
    /// Whole, but in a form that is not known here.
    case newerFormat(Int)
    case damaged
    /// A content without an envelope.
    case plain
  }

  /// The bytes of the file.
  var data: Data {
    var rest = Data(Self.line(format: Self.format, schema: schema, length: payload.count).utf8)
    rest += payload
    return Self.beginning + Data(hexadecimal(CRC32C.checksum(rest)).utf8) + rest
  }

  private static func line(format: Int, schema: Int, length: Int) -> String {
    " format=\(format) schema=\(schema) length=\(length)\n"
  }

  static func read(_ data: Data) -> Reading {
    guard data.starts(with: beginning) else {
      // What was cut within its first word is no content of anybody's.
      return !data.isEmpty && beginning.starts(with: data) ? .damaged : .plain
    }
    let body = data.dropFirst(beginning.count)
    let rest = body.dropFirst(checksumLength)
    guard body.count > checksumLength,
      body.prefix(checksumLength).elementsEqual(hexadecimal(CRC32C.checksum(rest)).utf8),
      let end = rest.prefix(longestLine).firstIndex(of: UInt8(ascii: "\n"))
    else { return .damaged }
    let line = String(decoding: rest[...end], as: UTF8.self)
    let numbers = line.split(whereSeparator: { $0 == " " || $0 == "\n" }).map(number)
    guard let format = numbers.first ?? nil else { return .damaged }
    if format > Self.format { return .newerFormat(format) }
    let payload = rest[rest.index(after: end)...]
    guard numbers.count == 3, let schema = numbers[1], let length = numbers[2],
      length == payload.count, line == Self.line(format: format, schema: schema, length: length)
    else { return .damaged }
    return .envelope(Envelope(schema: schema, payload: Data(payload)))
  }

  private static func number(_ part: Substring) -> Int? {
    part.split(separator: "=", omittingEmptySubsequences: false).last.flatMap { Int($0) }
  }
}
