/// How far an import has come: all that it needs to go on from there.
package struct ImportPosition: Sendable, Equatable, Codable {
  /// The file that is imported.
  let file: ImportFile

  /// The first record that is not imported yet.
  var place = CSVPosition.start

  /// Whether the whole file was read.
  var isAtEnd: Bool { place.offset == file.source.size }

  /// The part of the file that was read, from 0 to 1.
  var fraction: Double { Double(place.offset) / Double(max(1, file.source.size)) }

  /// Reads about a thousand rows and goes behind them; not beyond `end`, where a record begins.
  ///
  /// It goes from record to record, so that it need not hold what was read of one: a position stays
  /// small however long the records are.
  mutating func readRows(
    zones: TimeZoneCatalog, upTo end: Int? = nil
  ) throws -> [ImportRow] {
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
    let validator = AirportValidator(header: file.header, zones: zones)
    // The first record is the header; rows count from the one under it.
    return records.filter { $0.number > 1 }.map { record in
      ImportRow(
        number: record.number - 1, line: record.line,
        airport: Result { () throws(RejectReason) in try validator.airport(record) })
    }
  }
}
