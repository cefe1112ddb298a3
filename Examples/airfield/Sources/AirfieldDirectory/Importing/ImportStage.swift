public import Fieldstone

/// The import of an airport file, stage by stage.
///
/// The file is looked at as a whole first; then a chunk of it is read, made records, made airports
/// and stored in one transaction, until the file ends. A stage holds all that the import needs to go
/// on from it; what it works with is in ``ImportServices``.
public enum ImportStage: ContextualStage, Codable, Equatable {
  /// The file at a path is to be looked at.
  case open(path: String)

  /// The next bytes are to be read.
  case read(ImportState)

  /// Bytes are to be made records; none mean that the file has ended.
  case decode(ImportState, chunk: [UInt8])

  /// Records are to be made airports, or rejected.
  case validate(ImportState, records: [CSVRecord])

  /// Airports are to be stored and rejects listed.
  case store(ImportState, airports: [Airport], rejects: [Reject])

  /// All is stored.
  case done(ImportSummary)

  /// Does this stage's work and goes on to the next.
  @concurrent public func next(
    in services: ImportServices
  ) async throws -> Step<ImportStage, ImportSummary> {
    switch self {
    case .open(let path):
      let file = try ImportFile(path: path)
      try services.rejects.clear()
      return .advance(to: .read(ImportState(file: file)))
    case .read(let state):
      return try .advance(to: read(state))
    case .decode(let state, let chunk):
      return try .advance(to: decode(state, chunk))
    case .validate(let state, let records):
      return .advance(to: validate(state, records, services.zones))
    case .store(let state, let airports, let rejects):
      return try await .advance(to: store(state, airports, rejects, services))
    case .done(let summary):
      return .complete(summary)
    }
  }

  private func read(_ state: ImportState) throws -> ImportStage {
    var state = state
    let chunk = try state.file.read(from: state.offset)
    state.offset += chunk.count
    return .decode(state, chunk: chunk)
  }

  private func decode(_ state: ImportState, _ chunk: [UInt8]) throws -> ImportStage {
    var state = state
    do {
      var records = try state.reader.feed(chunk)
      if state.isAtEnd { records += try state.reader.finish() }
      return .validate(state, records: records)
    } catch CSVError.notUTF8 {
      throw ImportError.changed(path: state.file.path)
    }
  }

  private func validate(
    _ state: ImportState, _ records: [CSVRecord], _ zones: TimeZoneCatalog
  ) -> ImportStage {
    var state = state
    var airports: [Airport] = []
    var rejects: [Reject] = []
    let validator = AirportValidator(header: state.file.header, zones: zones)
    // The first record is the header; rows count from the one under it.
    for record in records where record.number > 1 {
      let number = record.number - 1
      state.counts.read += 1
      do throws(RejectReason) {
        let airport = try validator.airport(record)
        if let earlier = state.seen[airport.icao] {
          throw .repeatedCode(airport.icao, record: earlier)
        }
        state.seen[airport.icao] = number
        airports.append(airport)
      } catch {
        rejects.append(Reject(record: number, line: record.line, reason: error))
      }
    }
    state.counts.rejected += rejects.count
    return .store(state, airports: airports, rejects: rejects)
  }

  private func store(
    _ state: ImportState, _ airports: [Airport], _ rejects: [Reject], _ services: ImportServices
  ) async throws -> ImportStage {
    var state = state
    let result = try await services.directory.store(airports)
    try services.rejects.append(rejects)
    state.counts.stored += result.stored
    state.counts.updated += result.updated
    state.counts.unchanged += result.unchanged
    services.progress(
      ImportProgress(
        fraction: Double(state.offset) / Double(state.file.size), counts: state.counts))
    guard state.isAtEnd else { return .read(state) }
    return .done(ImportSummary(file: state.file.path, counts: state.counts))
  }
}
