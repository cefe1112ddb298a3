import GRDB

/// Numbers of rows, of which it is only asked whether one is among them: a bit each.
struct RowSet: Sendable {
  private var bits: [UInt64] = []

  /// Those that would make the bits too many; only another program gives such numbers.
  private var others: Set<Int64> = []

  private static let span: Range<Int64> = 0..<(1 << 26)

  init(_ rows: some Sequence<Int64> = []) {
    for row in rows { insert(row) }
  }

  var isEmpty: Bool { others.isEmpty && bits.allSatisfy { $0 == 0 } }

  mutating func insert(_ row: Int64) {
    guard Self.span.contains(row) else {
      others.insert(row)
      return
    }
    let word = Int(row >> 6)
    if word >= bits.count {
      bits += repeatElement(0, count: max(word + 1, 2 * bits.count) - bits.count)
    }
    bits[word] |= 1 << UInt64(row & 63)
  }

  func contains(_ row: Int64) -> Bool {
    let word = Int(truncatingIfNeeded: row >> 6)
    guard bits.indices.contains(word) else { return !others.isEmpty && others.contains(row) }
    return bits[word] & (1 << UInt64(row & 63)) != 0
  }
}

extension Database {
  /// The numbers that a statement gives, under the name `row` and in its order.
  ///
  /// They come as one text, because SQLite joins half a million of them in the time in which it
  /// hands out a tenth one by one.
  func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Int64] {
    let text = try String.fetchOne(
      self, sql: "SELECT group_concat(row) FROM (\(sql))", arguments: arguments)
    guard var text else { return [] }
    return text.withUTF8 { bytes in
      var rows: [Int64] = []
      rows.reserveCapacity(bytes.count { $0 == UInt8(ascii: ",") } + 1)
      var (row, isNegative) = (Int64(0), false)
      for byte in bytes {
        switch byte {
        case UInt8(ascii: ","):
          rows.append(isNegative ? 0 &- row : row)
          (row, isNegative) = (0, false)
        case UInt8(ascii: "-"): isNegative = true
        default: row = row &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
        }
      }
      rows.append(isNegative ? 0 &- row : row)
      return rows
    }
  }
}
