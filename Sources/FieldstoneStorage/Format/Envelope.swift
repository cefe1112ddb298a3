import Foundation

/// The line of text before a content, with its version and a checksum.
///
///     fieldstone crc32c=7f2c01aa format=1 schema=3 length=120
///
/// The checksum covers everything after it, including the rest of the line, so every change is
/// detected. Each line can be written in only one way.
struct Envelope {
  var schema: Int
  var payload: Data

  private static let beginning = "fieldstone crc32c="
  private static let checksumLength = 8
  /// A longer line is not an envelope.
  private static let longestLine = 160
  private static let format = 1

  enum Reading {
    case envelope(Envelope)
    /// Intact, but in a newer format.
    case newerFormat(Int)
    case damaged
    /// A content without an envelope.
    case plain
  }

  /// The bytes of the file.
  var data: Data {
    var rest = Self.line(format: Self.format, schema: schema, length: payload.count).utf8Data
    rest.append(payload)
    var data = (Self.beginning + hexadecimal(CRC32C.checksum(rest))).utf8Data
    data.append(rest)
    return data
  }

  private static func line(format: Int, schema: Int, length: Int) -> String {
    " format=\(format) schema=\(schema) length=\(length)\n"
  }

  static func read(_ data: Data) -> Reading {
    let beginning = Array(beginning.utf8)
    let start = beginning.count + checksumLength
    // An array of bytes: each algorithm on a `Data` adds a copy of its code to every program.
    let head = [UInt8](data.prefix(start + longestLine))
    guard head.starts(with: beginning) else {
      // A file that was cut within the first word has no content.
      return !head.isEmpty && beginning.starts(with: head) ? .damaged : .plain
    }
    guard let end = head.dropFirst(start).firstIndex(of: UInt8(ascii: "\n")),
      String(decoding: head[beginning.count..<start], as: UTF8.self)
        == hexadecimal(CRC32C.checksum(data.dropFirst(start)))
    else { return .damaged }
    let line = head[start...end]
    let numbers = numbers(in: line)
    guard let format = numbers.first else { return .damaged }
    if format > Self.format { return .newerFormat(format) }
    let payload = data.subdata(in: data.startIndex + end + 1..<data.endIndex)
    // The line equals the only way to write these numbers, so it contains nothing else.
    guard numbers.count == 3, numbers[2] == payload.count,
      String(decoding: line, as: UTF8.self)
        == Self.line(format: format, schema: numbers[1], length: numbers[2])
    else { return .damaged }
    return .envelope(Envelope(schema: numbers[1], payload: payload))
  }

  /// The number after each equals sign.
  private static func numbers(in line: ArraySlice<UInt8>) -> [Int] {
    var numbers: [Int] = []
    var isInside = false
    var sign = 1
    for byte in line {
      switch byte {
      case UInt8(ascii: "="):
        isInside = true
        sign = 1
        numbers.append(0)
      case UInt8(ascii: "-") where isInside:
        sign = -1
      case UInt8(ascii: "0")...UInt8(ascii: "9") where isInside:
        let digit = sign * Int(byte - UInt8(ascii: "0"))
        numbers[numbers.count - 1] = numbers[numbers.count - 1] &* 10 &+ digit
      default:
        isInside = false
      }
    }
    return numbers
  }
}

extension String {
  /// The text's bytes; the generic code of `Data(_.utf8)` would add 4 KB to every program.
  var utf8Data: Data { data(using: .utf8) ?? Data() }
}
