import Foundation
import Testing

@testable import AirfieldApp

@Suite("A CSV reader")
struct CSVReaderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let title: String
    let text: String
    let records: [[String]]
    var lines: [Int]?
    var testDescription: String { title }
  }

  static let cases: [Case] = [
    Case(title: "nothing", text: "", records: []),
    Case(title: "one value", text: "a", records: [["a"]]),
    Case(title: "LF", text: "a,b\nc,d\n", records: [["a", "b"], ["c", "d"]], lines: [1, 2]),
    Case(
      title: "CRLF", text: "a,b\r\nc,d\r\n", records: [["a", "b"], ["c", "d"]], lines: [1, 2]),
    Case(title: "CR", text: "a,b\rc,d\r", records: [["a", "b"], ["c", "d"]], lines: [1, 2]),
    Case(title: "no last line break", text: "a\nb", records: [["a"], ["b"]]),
    Case(title: "empty values", text: ",\n,,\n", records: [["", ""], ["", "", ""]]),
    Case(
      title: "blank lines", text: "\n\na\n\r\n\nb\n\n", records: [["a"], ["b"]], lines: [3, 6]),
    Case(title: "an empty value in quotes", text: "\"\"\n\"\"", records: [[""], [""]]),
    Case(title: "blanks stay", text: " a , b ", records: [[" a ", " b "]]),
    Case(title: "a quoted value", text: "\"a\",b", records: [["a", "b"]]),
    Case(title: "a comma in quotes", text: "\"a,b\",c", records: [["a,b", "c"]]),
    Case(title: "doubled quotes", text: "\"a\"\"b\",\"\"\"\"", records: [["a\"b", "\""]]),
    Case(
      title: "line breaks in quotes", text: "\"a\nb\r\nc\rd\",e\nf",
      records: [["a\nb\r\nc\rd", "e"], ["f"]],
      lines: [1, 5]),
    Case(title: "a byte-order mark", text: "\u{FEFF}a,b", records: [["a", "b"]]),
    Case(title: "a mark before a quote", text: "\u{FEFF}\"a\",b", records: [["a", "b"]]),
    Case(title: "a mark later is text", text: "a\n\u{FEFF}b", records: [["a"], ["\u{FEFF}b"]]),
    Case(title: "a mark alone", text: "\u{FEFF}", records: []),
    Case(
      title: "all of Unicode", text: "é,日本,🛬\u{0},\u{10FFFF}",
      records: [["é", "日本", "🛬\u{0}", "\u{10FFFF}"]]),
  ]

  @Test("reads what RFC 4180 and its relatives write, however the bytes are cut", arguments: cases)
  func reads(_ sample: Case) throws {
    for size in [1, 2, 3, 5, 1000] {
      let records = try Self.read(Array(sample.text.utf8), chunk: size)
      #expect(records.map(\.fields) == sample.records)
      #expect(records.map(\.number) == records.indices.map { $0 + 1 })
      #expect(records.allSatisfy { $0.fault == nil })
      if let lines = sample.lines { #expect(records.map(\.line) == lines) }
    }
  }

  static let faults: [(text: String, fault: CSVFault)] = [
    ("a\"b,c", .strayQuote),
    ("a,b\"", .strayQuote),
    ("\"a\"b,c", .textAfterQuote),
    ("\"a\" ,c", .textAfterQuote),
    ("\"a\"b\"c\"", .textAfterQuote),
    (String(repeating: "x", count: 65), .tooLong(limit: 64)),
    ("\"" + String(repeating: "x,\n", count: 40) + "\"", .tooLong(limit: 64)),
    (String(repeating: ",", count: 70), .tooLong(limit: 64)),
    ("\"" + String(repeating: "\"\"", count: 70) + "\"", .tooLong(limit: 64)),
  ]

  @Test("reports a faulty record as such and reads on behind it", arguments: faults)
  func faulty(_ text: String, _ fault: CSVFault) throws {
    for size in [1, 7, 1000] {
      let bytes = Array("good,1\n\(text)\ngood,2\n".utf8)
      let records = try Self.read(bytes, chunk: size, limit: 64)
      #expect(records.count == 3)
      #expect(records.map(\.fault) == [nil, fault, nil])
      #expect(records.map(\.fields) == [["good", "1"], [], ["good", "2"]])
    }
  }

  @Test("reports a quote that never closes with the line that opened it")
  func unclosed() throws {
    let records = try Self.read(Array("a\nb,\"c\nd\n".utf8), chunk: 4)
    #expect(
      records.last == CSVRecord(number: 2, line: 2, fields: [], fault: .unclosedQuote(line: 2)))
  }

  static let notUTF8: [[UInt8]] = [
    [0xE9], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF, 0xFE],
    [0xC3, 0x2C, 0xA9], [0x80],
  ]

  @Test("takes no bytes that are not UTF-8", arguments: notUTF8)
  func strict(_ bytes: [UInt8]) {
    for size in [1, 1000] {
      #expect(throws: CSVError.notUTF8(line: 2)) {
        _ = try Self.read(Array("a,b\n".utf8) + bytes + Array(",c\n".utf8), chunk: size)
      }
    }
  }

  @Test("goes on from a stored copy of itself as if it had never stopped")
  func stored() throws {
    let bytes = Array("a,\"b\nc\"\"d\",e\n\"f\",g\r\nh".utf8)
    for cut in bytes.indices {
      var first = CSVReader()
      var records = try first.feed(Array(bytes[..<cut]))
      let stored = try JSONEncoder().encode(first)
      var second = try JSONDecoder().decode(CSVReader.self, from: stored)
      records += try second.feed(Array(bytes[cut...]))
      records += try second.finish()
      #expect(records.map(\.fields) == [["a", "b\nc\"d", "e"], ["f", "g"], ["h"]])
    }
  }

  static func read(_ bytes: [UInt8], chunk: Int, limit: Int = 1 << 20) throws -> [CSVRecord] {
    var reader = CSVReader(maximumRecordLength: limit)
    var records: [CSVRecord] = []
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      records += try reader.feed(Array(bytes[start..<min(bytes.count, start + chunk)]))
    }
    return try records + reader.finish()
  }
}
