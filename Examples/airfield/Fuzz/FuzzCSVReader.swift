#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Feeds a CSV reader what libFuzzer makes up; whatever traps, or ends here, is a finding.
///
/// The first byte says how the others are cut into chunks. Cut or whole, the reader must give the
/// same records or the same error, number them without gaps, and keep to its limit; and what it
/// read must read the same when it is written again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCSVReader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  let size = Int(input.first ?? 0) % 16 + 1
  let bytes = Array(input.dropFirst())
  let whole = read(bytes, chunk: max(1, bytes.count))
  demand(read(bytes, chunk: size) == whole, "the cut changes what is read")
  guard case .success(let records) = whole else { return 0 }
  for (index, record) in records.enumerated() {
    demand(record.number == index + 1, "a record has another's number")
    demand(index == 0 || record.line > records[index - 1].line, "lines go back")
    demand(record.fault == nil || record.fields.isEmpty, "a faulty record has values")
    demand(record.fields.reduce(0) { $0 + $1.utf8.count } <= limit, "a record is too long")
  }
  let fields = records.filter { $0.fault == nil }.map(\.fields)
  let written = Array(fields.map(CSVWriter.line).joined().utf8)
  // A mark at the start of the first value would be taken for that of the file.
  guard fields.first?.first?.unicodeScalars.first != "\u{FEFF}" else { return 0 }
  let again = read(written, chunk: size)
  demand((try? again.get())?.map(\.fields) == fields, "what was written is read as something else")
  return 0
}

private let limit = 4096

private func read(_ bytes: [UInt8], chunk: Int) -> Result<[CSVRecord], CSVError> {
  Result { () throws(CSVError) in
    var reader = CSVReader(maximumRecordLength: limit)
    var records: [CSVRecord] = []
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      records += try reader.feed(Array(bytes[start..<min(bytes.count, start + chunk)]))
    }
    return try records + reader.finish()
  }
}

private func demand(_ holds: Bool, _ complaint: String) {
  guard !holds else { return }
  fputs("finding: \(complaint)\n", stderr)
  abort()
}
