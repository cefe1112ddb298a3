/// A reader of RFC 4180 that is fed bytes in chunks of any size and gives records.
///
/// Values may be separated by semicolons or tabs, too, as spreadsheets write them.
///
/// It is a value: what it knows of an unfinished record is in it, so that it can be stored between
/// two chunks and go on later. Beyond the RFC it takes LF and CR alone as line breaks, passes over
/// blank lines and a byte-order mark, and reports a faulty record as such and goes on behind it.
/// Bytes must be strict UTF-8.
struct CSVReader: Sendable, Equatable, Codable {
  private enum State: UInt8, Codable {
    case valueStart, plain, quoted, quoteInQuoted
  }

  /// The bytes that one record may have, its commas counted, its quotes and line break not.
  let maximumRecordLength: Int

  private let separator: UInt8
  private let keepsValues: Bool

  private var preamble: [UInt8]? = []
  private var state = State.valueStart
  private var content: [UInt8] = []
  private var ends: [Int] = []
  private var fault: CSVFault?
  private var isBlank = true
  private var isAfterReturn = false
  private var count = 0
  private var line = 1
  private var firstLine = 1
  private var quoteLine = 1
  private var taken = 0
  private var start = 0

  /// Makes a reader that stands at the beginning of a file.
  ///
  /// - Parameter keepsValues: whether records are given; otherwise only ``position`` is of use, which takes a
  ///   fraction of the time.
  init(
    separator: CSVSeparator = .comma, maximumRecordLength: Int = 1 << 20, keepsValues: Bool = true
  ) {
    self.separator = separator.byte
    self.keepsValues = keepsValues
    self.maximumRecordLength = maximumRecordLength
  }

  /// Makes a reader that goes on from a position; the bytes that follow it are to be fed.
  init(
    from position: CSVPosition, separator: CSVSeparator = .comma,
    maximumRecordLength: Int = 1 << 20
  ) {
    self.init(separator: separator, maximumRecordLength: maximumRecordLength)
    guard position.offset > 0 else { return }
    preamble = nil
    taken = position.offset
    start = position.offset
    count = position.records
    line = position.line
    firstLine = position.line
    isAfterReturn = position.isAfterReturn
  }

  /// Where the record begins that comes next, or that is not whole yet.
  var position: CSVPosition {
    CSVPosition(
      offset: start, records: count, line: firstLine,
      isAfterReturn: isAfterReturn && start == taken)
  }

  /// The quote that is open, by its line, and the line that was reached within it; nil outside.
  var openQuote: (line: Int, reached: Int)? {
    state == .quoted ? (quoteLine, line) : nil
  }

  /// Takes the next bytes and gives the records that end in them.
  mutating func feed(_ chunk: [UInt8]) throws(CSVError) -> [CSVRecord] {
    var records: [CSVRecord] = []
    guard let held = preamble else {
      try consume(chunk, into: &records)
      return records
    }
    let start = held + chunk
    if start.count < mark.count, mark.starts(with: start) {
      preamble = start
      return []
    }
    preamble = nil
    guard start.starts(with: mark) else {
      try consume(start, into: &records)
      return records
    }
    taken = mark.count
    self.start = taken
    try consume(Array(start.dropFirst(mark.count)), into: &records)
    return records
  }

  /// Says that the file ends here, and gives the record that this ends.
  mutating func finish() throws(CSVError) -> [CSVRecord] {
    var records: [CSVRecord] = []
    if let held = preamble {
      preamble = nil
      try consume(held, into: &records)
    }
    if state == .quoted { blame(.unclosedQuote(line: quoteLine)) }
    try endRecord(into: &records)
    start = taken
    return records
  }

  private mutating func consume(
    _ bytes: [UInt8], into records: inout [CSVRecord]
  ) throws(CSVError) {
    try bytes.withUnsafeBufferPointer { (input) throws(CSVError) in
      var index = 0
      while index < input.count {
        if state == .quoted {
          index = consumeQuoted(input, from: index)
          continue
        }
        let byte = input[index]
        index += 1
        if byte == lineFeed, isAfterReturn {
          isAfterReturn = false
          start = taken + index
          continue
        }
        isAfterReturn = byte == carriageReturn
        switch byte {
        case separator:
          if keepsValues {
            keepInBounds(1)
            ends.append(content.count)
          }
          state = .valueStart
          isBlank = false
        case carriageReturn, lineFeed:
          line += 1
          try endRecord(into: &records)
          start = taken + index
        case quote:
          openOrDoubleQuote()
        default:
          if state == .quoteInQuoted { blame(.textAfterQuote) }
          state = .plain
          isBlank = false
          let first = index - 1
          while index < input.count, !isSpecial(input[index], separator) { index += 1 }
          keep(input[first..<index])
        }
      }
      taken += input.count
    }
  }

  /// Takes bytes up to the next quote, and tells where it stopped.
  private mutating func consumeQuoted(_ input: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index < input.count {
      let byte = input[index]
      if byte == quote { break }
      if byte == carriageReturn || (byte == lineFeed && !isAfterReturn) { line += 1 }
      isAfterReturn = byte == carriageReturn
      index += 1
    }
    keep(input[start..<index])
    guard index < input.count else { return index }
    state = .quoteInQuoted
    isAfterReturn = false
    return index + 1
  }

  private mutating func openOrDoubleQuote() {
    isBlank = false
    switch state {
    case .valueStart:
      quoteLine = line
      state = .quoted
    case .quoteInQuoted:
      if keepsValues {
        keepInBounds(1)
        content.append(quote)
      }
      state = .quoted
    case .plain, .quoted:
      blame(.strayQuote)
    }
  }

  private mutating func keep(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    guard keepsValues else { return }
    keepInBounds(bytes.count)
    if bytes.count <= maximumRecordLength { content.append(contentsOf: bytes) }
  }

  /// Makes room for more of a record by forgetting one that is too long, which is then a fault.
  private mutating func keepInBounds(_ length: Int) {
    guard content.count + ends.count + length > maximumRecordLength else { return }
    blame(.tooLong(limit: maximumRecordLength))
    content.removeAll()
    ends.removeAll()
  }

  /// Notes what is wrong; the first fault of a record is the one that is told.
  private mutating func blame(_ found: CSVFault) {
    if fault == nil { fault = found }
  }

  private mutating func endRecord(into records: inout [CSVRecord]) throws(CSVError) {
    defer { startRecord() }
    guard !isBlank else { return }
    count += 1
    guard keepsValues else { return }
    ends.append(content.count)
    let fields = try values()
    records.append(
      CSVRecord(
        number: count, line: firstLine, fields: fault == nil ? fields : [], fault: fault))
  }

  private mutating func startRecord() {
    state = .valueStart
    content.removeAll(keepingCapacity: content.count < 4096)
    ends.removeAll(keepingCapacity: ends.count < 256)
    fault = nil
    isBlank = true
    firstLine = line
  }

  private func values() throws(CSVError) -> [String] {
    try content.withUnsafeBufferPointer { (bytes) throws(CSVError) in
      var values: [String] = []
      values.reserveCapacity(ends.count)
      var start = 0
      for end in ends {
        guard let value = String(validating: bytes[start..<end], as: UTF8.self) else {
          throw .notUTF8(line: firstLine)
        }
        values.append(value)
        start = end
      }
      return values
    }
  }
}

private let quote = UInt8(ascii: "\"")
private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")
private let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

private func isSpecial(_ byte: UInt8, _ separator: UInt8) -> Bool {
  byte == separator
    || (byte <= quote && (byte == quote || byte == lineFeed || byte == carriageReturn))
}
