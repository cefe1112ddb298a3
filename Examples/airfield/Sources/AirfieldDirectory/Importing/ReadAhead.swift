import Synchronization

/// Reads the batch of rows that comes next while the one before it is stored.
final class ReadAhead: Sendable {
  /// A batch that is being read, or was.
  private struct Batch {
    let start: ImportPosition
    let end: Int?
    let reading: Task<(rows: [ImportRow], next: ImportPosition), any Error>

    init(
      _ start: ImportPosition, _ end: Int?, _ zones: TimeZoneCatalog, _ countries: CountryNames
    ) {
      (self.start, self.end) = (start, end)
      reading = Task {
        var position = start
        var rows = try position.readRows(zones: zones, upTo: end)
        for index in rows.indices { rows[index].makeTexts(countries) }
        return (rows, position)
      }
    }
  }

  private let zones = TimeZoneCatalog()
  private let countries: CountryNames
  private let ahead = Mutex<Batch?>(nil)

  init(_ countries: CountryNames) {
    self.countries = countries
  }

  /// The rows that ``ImportPosition/readRows(zones:upTo:)`` reads, of the file as it is now.
  func rows(at position: inout ImportPosition, upTo end: Int? = nil) async throws -> [ImportRow] {
    let (file, start) = (position.file, position)
    let known = ahead.withLock { ahead in
      defer { ahead = nil }
      return ahead?.start == start && ahead?.end == end ? ahead : nil
    }
    if known != nil { try file.expectUnchanged() }
    let batch = try await (known ?? Batch(start, end, zones, countries)).reading.value
    position = batch.next
    if position.place.offset < end ?? file.source.size {
      let following = Batch(position, end, zones, countries)
      ahead.withLock { $0 = following }
    }
    return batch.rows
  }
}
