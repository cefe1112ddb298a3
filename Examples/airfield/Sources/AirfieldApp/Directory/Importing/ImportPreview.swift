import FieldstoneSQLite
import GRDB

/// What an import of a file would do, told before anything is written.
struct ImportPreview: Sendable, Equatable {
  private(set) var counts = ImportCounts()

  /// In how many airports a column would get another value.
  private(set) var changed: [AirportColumn: Int] = [:]

  /// In how many airports a column would be cleared.
  private(set) var cleared: [AirportColumn: Int] = [:]

  /// The columns that the file lacks: what is stored in them stays.
  let absent: [AirportColumn]

  /// The first of the values that would become others, ``shownChanges`` at most.
  private(set) var changes: [Change] = []
  static let shownChanges = 20

  struct Change: Sendable, Equatable {
    let icao: String
    let column: AirportColumn
    let old: String?
    let new: String?
  }

  private var seen: Set<String> = []

  /// Reads a file as an import would, and compares it with what is stored.
  ///
  /// It costs about what the import costs.
  ///
  /// - Throws: ``ImportError`` when the file can't be imported; `CancellationError`.
  @concurrent
  static func of(
    _ path: String, name: String? = nil, in directory: AirportDirectory
  ) async throws -> ImportPreview {
    let file = try ImportFile(ImportSource(path: path, name: name))
    var position = ImportPosition(file: file)
    var preview = ImportPreview(absent: file.header.absent)
    while !position.isAtEnd {
      let rows = try position.readRows()
      let airports = preview.take(rows)
      let stored = try await directory.read { db in
        try airports.map { try Airport.with("icao", $0.icao, db) }
      }
      for (airport, stored) in zip(airports, stored) { preview.compare(airport, with: stored) }
    }
    preview.seen = []
    return preview
  }

  private init(absent: [AirportColumn]) {
    self.absent = absent
  }

  /// Counts rows, and gives the airports among them that no earlier row has.
  private mutating func take(_ rows: [ImportRow]) -> [Airport] {
    counts.read += rows.count
    let airports = rows.compactMap { try? $0.airport.get() }.filter {
      seen.insert($0.icao).inserted
    }
    counts.rejected += rows.count - airports.count
    return airports
  }

  private mutating func compare(_ airport: Airport, with stored: Airport?) {
    guard let stored else {
      counts.stored += 1
      return
    }
    var isChanged = false
    for column in AirportColumn.allCases where !absent.contains(column) {
      let (new, old) = (column.value(of: airport), column.value(of: stored))
      guard new != old else { continue }
      isChanged = true
      if changes.count < Self.shownChanges {
        changes.append(
          Change(icao: airport.icao, column: column, old: old?.text, new: new?.text))
      }
      if new == nil { cleared[column, default: 0] += 1 } else { changed[column, default: 0] += 1 }
    }
    if isChanged { counts.updated += 1 } else { counts.unchanged += 1 }
  }
}

extension ImportPreview {
  /// The preview as sentences, one on a line.
  var lines: [String] {
    var lines = [
      "\(counts.read) rows: \(counts.stored) new, \(counts.updated) changed, "
        + "\(counts.unchanged) unchanged, \(counts.rejected) rejected."
    ]
    if let list = Self.list(changed) { lines.append("Would change: \(list).") }
    if let list = Self.list(cleared) { lines.append("Would clear: \(list).") }
    if !absent.isEmpty {
      let names = absent.map(\.rawValue).joined(separator: ", ")
      lines.append("The file has no \(names): what is stored there stays.")
    }
    return lines
  }

  private static func list(_ counts: [AirportColumn: Int]) -> String? {
    let parts = AirportColumn.allCases.compactMap { column in
      counts[column].map { "\(column.rawValue) in \($0)" }
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
