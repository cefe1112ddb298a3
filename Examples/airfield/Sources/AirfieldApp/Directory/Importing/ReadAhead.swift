import Synchronization

/// Reads the batch of rows that comes next while the one before it is stored.
final class ReadAhead: Sendable {
  private struct Batch {
    let start: ImportPosition
    let end: Int?
    let reading: Task<(rows: [ImportRow], next: ImportPosition), any Error>

    init(_ start: ImportPosition, _ end: Int?, _ countries: CountryNames) {
      (self.start, self.end) = (start, end)
      reading = Task {
        var position = start
        var rows = try position.readRows(upTo: end)
        for index in rows.indices { rows[index].makeTexts(countries) }
        return (rows, position)
      }
    }
  }

  private let countries = CountryNames()
  private let ahead = Mutex<Batch?>(nil)

  /// The rows that ``ImportPosition/readRows(upTo:)`` reads, of the file as it is now.
  func rows(
    at position: inout ImportPosition, upTo end: Int? = nil
  ) async throws -> [ImportRow] {
    let (file, start) = (position.file, position)
    let known = ahead.withLock { ahead in
      defer { ahead = nil }
      return ahead?.start == start && ahead?.end == end ? ahead : nil
    }
    if known != nil { try file.expectUnchanged() }
    let batch = try await (known ?? Batch(start, end, countries)).reading.value
    position = batch.next
    if position.place.offset < end ?? file.source.size {
      let following = Batch(position, end, countries)
      ahead.withLock { $0 = following }
    }
    return batch.rows
  }
}

/// How far an import has come: all that it needs to go on from there.
struct ImportPosition: Sendable, Equatable, Codable {
  let file: ImportFile
  private(set) var place = CSVPosition.start

  var isAtEnd: Bool { place.offset == file.source.size }

  var fraction: Double { Double(place.offset) / Double(max(1, file.source.size)) }

  /// Reads about a thousand rows and goes behind them; not beyond `end`, where a record begins.
  ///
  /// It goes from record to record, so that it need not hold what was read of one: a position stays
  /// small however long the records are.
  mutating func readRows(upTo end: Int? = nil) throws -> [ImportRow] {
    var reader = CSVReader(from: place, separator: file.separator)
    var records: [CSVRecord] = []
    var offset = place.offset
    repeat {
      try Task.checkCancellation()
      let chunk = try file.read(from: offset, upTo: end ?? file.source.size)
      offset += chunk.count
      do {
        records += try reader.feed(chunk)
        if offset == file.source.size { records += try reader.finish() }
      } catch CSVError.notUTF8 {
        throw ImportError.changed(path: file.source.title)
      }
    } while reader.position.offset == place.offset
    place = reader.position
    let validator = AirportValidator(header: file.header)
    // The first record is the header; rows count from the one under it.
    return records.filter { $0.number > 1 }.map { record in
      ImportRow(
        number: record.number - 1, line: record.line,
        airport: Result { () throws(RejectReason) in try validator.airport(record) })
    }
  }
}

/// A row of the file: an airport, or the reason why it is none.
struct ImportRow: Sendable {
  /// The row's number, from 1 for the first under the header; blank lines do not count.
  let number: Int

  /// The line of the file on which the row begins, from 1.
  let line: Int

  /// What it holds, apart from whether an earlier row has the same code.
  let airport: Result<Airport, RejectReason>
  private(set) var texts: AirportTexts?

  mutating func makeTexts(_ countries: CountryNames) {
    texts = (try? airport.get()).map { AirportTexts($0, countries) }
  }
}
