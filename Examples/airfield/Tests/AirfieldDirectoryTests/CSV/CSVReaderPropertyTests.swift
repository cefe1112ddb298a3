import AirfieldTestSupport
import Foundation
import Testing

@testable import AirfieldApp

/// Every test prints its seed; `AIRFIELD_SEED=… swift test` runs it again.
@Suite("A CSV reader, with random input")
struct CSVReaderPropertyTests {
  @Test("gives back any table that was written as CSV")
  func roundTrip() throws {
    var random = RandomSource.fresh()
    for _ in 0..<400 {
      let table = Self.table(&random)
      let bytes = Self.csv(table, &random)
      let records = try Self.read(bytes, &random)
      try #require(records.map(\.fields) == table, "seed \(random.seed)")
    }
  }

  @Test("gives back what our own writer wrote")
  func writer() throws {
    var random = RandomSource.fresh()
    for _ in 0..<200 {
      let table = Self.table(&random)
      let bytes = Array(table.map(CSVWriter.line).joined().utf8)
      let records = try Self.read(bytes, &random)
      try #require(records.map(\.fields) == table, "seed \(random.seed)")
    }
  }

  @Test("reads the same of any bytes however they are cut, or fails with the same error")
  func garbage() throws {
    var random = RandomSource.fresh()
    let alphabet: [UInt8] = Array("\"\",,\n\r ab".utf8) + [0xC3, 0xA9, 0xEF, 0xBB, 0xBF, 0xFF, 0]
    for _ in 0..<1500 {
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        alphabet.randomElement(using: &random) ?? 0
      }
      let cut = Result { () throws(CSVError) in try Self.read(bytes, &random) }
      let whole = Result { () throws(CSVError) in
        var reader = CSVReader()
        return try reader.feed(bytes) + reader.finish()
      }
      try #require(cut == whole, "seed \(random.seed): \(bytes)")
    }
  }

  @Test("goes on from any position, stored as JSON, as if it had never stopped")
  func positions() throws {
    var random = RandomSource.fresh()
    let alphabet: [UInt8] = Array("\"\",,\n\n\r\r ab".utf8) + [0xEF, 0xBB, 0xBF]
    for _ in 0..<1500 {
      let start: [UInt8] = Bool.random(using: &random) ? [0xEF, 0xBB, 0xBF] : []
      let bytes =
        start
        + (0..<Int.random(in: 0...60, using: &random)).map { _ in
          alphabet.randomElement(using: &random) ?? 0
        }.filter { $0 < 0x80 }
      var whole = CSVReader()
      let expected = try whole.feed(bytes) + whole.finish()
      try #require(whole.position.offset == bytes.count, "seed \(random.seed): \(bytes)")
      var position = CSVPosition.start
      var records: [CSVRecord] = []
      while position.offset < bytes.count {
        // Another reader each time, which forgets what it has read of a record.
        var reader = CSVReader(from: position)
        var rest = bytes[position.offset...]
        repeat {
          let size = Int.random(in: 1...12, using: &random)
          records += try reader.feed(Array(rest.prefix(size)))
          rest = rest.dropFirst(size)
          if rest.isEmpty { records += try reader.finish() }
        } while reader.position.offset == position.offset
        position = try JSONDecoder().decode(
          CSVPosition.self, from: JSONEncoder().encode(reader.position))
      }
      try #require(records == expected, "seed \(random.seed): \(bytes)")
    }
  }

  private static func table(_ random: inout RandomSource) -> [[String]] {
    let width = Int.random(in: 1...5, using: &random)
    return (0..<Int.random(in: 0...8, using: &random)).map { _ in
      (0..<width).map { _ in value(&random) }
    }
  }

  private static func value(_ random: inout RandomSource) -> String {
    let pieces = [
      "", "a", "Bíldudalur", ",", "\"", "\n", "\r\n", "\r", " ", "🛬", "日", "\"\"", "0", "\u{301}",
    ]
    return (0..<Int.random(in: 0...4, using: &random)).map { _ in
      pieces.randomElement(using: &random) ?? ""
    }.joined()
  }

  /// The table with quotes wherever they must be and here and there where they may.
  private static func csv(_ table: [[String]], _ random: inout RandomSource) -> [UInt8] {
    var text = Bool.random(using: &random) ? "\u{FEFF}" : ""
    for (index, row) in table.enumerated() {
      let values = row.map { value in
        let mustQuote = row.count == 1 || value.utf8.contains { ",\"\n\r".utf8.contains($0) }
        guard mustQuote || Bool.random(using: &random) else { return value }
        let doubled = value.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }
        return "\"" + doubled.joined() + "\""
      }
      text += values.joined(separator: ",")
      let isLast = index == table.count - 1
      if !isLast || Bool.random(using: &random) {
        text += ["\n", "\r\n"].randomElement(using: &random) ?? "\n"
      }
    }
    return Array(text.utf8)
  }

  private static func read(
    _ bytes: [UInt8], _ random: inout RandomSource
  ) throws(CSVError) -> [CSVRecord] {
    var reader = CSVReader()
    var records: [CSVRecord] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let size = Int.random(in: 1...12, using: &random)
      records += try reader.feed(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return try records + reader.finish()
  }
}
