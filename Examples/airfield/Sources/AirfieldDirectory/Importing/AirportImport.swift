package import FieldstoneDurable
import FieldstoneSQLite

/// The import of an airport file as a durable flow.
///
/// The file is looked at as a whole first; then about a thousand rows at a time are read and made
/// airports, until the file ends. What a stage comes to is written in the transaction of its
/// checkpoint: an import that is killed at any moment goes on from its last checkpoint, and nothing
/// is counted or stored twice.
package enum AirportImport: DurableStage, VersionedFlow, Equatable {
  /// The file is to be looked at.
  case open(ImportSource)

  /// The next rows are to be imported.
  case chunk(ImportPosition)

  /// All rows are imported; the rejected ones are to be listed.
  case finish(ImportFile)

  /// The name of the flow.
  package static let flowName = "airfield.import"

  /// Does this stage's work and tells what follows.
  @concurrent package func next(
    in context: DurableContext<ImportServices>
  ) async throws -> DurableStep<AirportImport, ImportEnd> {
    guard context.services.isWanted(source) else { return end(.abandoned, in: context) }
    do {
      switch self {
      case .open(let source): return try open(source, in: context)
      case .chunk(let position): return try await importRows(position, in: context)
      case .finish(let file): return try await finish(file, in: context)
      }
    } catch let error as ImportError {
      // Tried again it would come to the same: that is an end, and no failure to be repeated.
      return end(.refused(error), in: context)
    }
  }

  /// The part of the file that was imported, from 0 to 1.
  var fraction: Double {
    switch self {
    case .open: 0
    case .chunk(let position): position.fraction
    case .finish: 1
    }
  }

  /// The file.
  var source: ImportSource {
    switch self {
    case .open(let source): source
    case .chunk(let position): position.file.source
    case .finish(let file): file.source
    }
  }

  private func open(
    _ source: ImportSource, in context: DurableContext<ImportServices>
  ) throws -> DurableStep<AirportImport, ImportEnd> {
    let file = try ImportFile(source)
    let run = context.run
    context.atCheckpoint { db in try ImportLedger(db, run: run).begin(source) }
    return .advance(to: .chunk(ImportPosition(file: file)))
  }

  private func importRows(
    _ position: ImportPosition, in context: DurableContext<ImportServices>
  ) async throws -> DurableStep<AirportImport, ImportEnd> {
    let (services, run) = (context.services, context.run)
    try await report(in: context)
    var position = position
    let rows = try position.readRows(zones: services.zones)
    let absent = position.file.header.absent
    context.atCheckpoint { [directory = services.directory] db in
      try ImportLedger(db, run: run).add(rows, leaving: absent, into: directory)
    }
    return .advance(to: position.isAtEnd ? .finish(position.file) : .chunk(position))
  }

  private func finish(
    _ file: ImportFile, in context: DurableContext<ImportServices>
  ) async throws -> DurableStep<AirportImport, ImportEnd> {
    let (services, run) = (context.services, context.run)
    let counts = try await report(in: context)
    if let rejects = try await services.directory.rejects(of: run) {
      try services.rejects.write(rejects)
    }
    return end(.imported(ImportSummary(file: file.source.title, counts: counts)), in: context)
  }

  private func end(
    _ end: ImportEnd, in context: DurableContext<ImportServices>
  ) -> DurableStep<AirportImport, ImportEnd> {
    let (source, run) = (source, context.run)
    let keepsRejects = context.services.keepsRejects
    context.atCheckpoint { db in
      try ImportLedger(db, run: run).end(path: source.path, keepsRejects: keepsRejects)
    }
    return .complete(end)
  }

  /// Tells how far the import has come: of what is stored, not of what may yet be done again.
  @discardableResult
  private func report(in context: DurableContext<ImportServices>) async throws -> ImportCounts {
    let counts = try await context.services.directory.counts(ofImport: context.run)
    context.services.progress(ImportProgress(fraction: fraction, counts: counts))
    return counts
  }
}
