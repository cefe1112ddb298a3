import FieldstoneDurable
import FieldstoneSQLite

/// The import of a part of an airport file: a child of ``AirportImport``.
///
/// The parts of an import run one after the other. Where the import stands is in its row of `importRun`,
/// and moves on in the transaction of each checkpoint, from where it was: no run can import rows twice,
/// or before those that stand above them, whatever else runs.
enum AirportImportPart: DurableStage, Equatable {
  case chunk(ImportPart)

  @concurrent func next(
    in context: DurableContext<ImportServices>
  ) async throws -> DurableStep<AirportImportPart, ImportPartEnd> {
    switch self {
    case .chunk(let part):
      do {
        return try await importRows(part, in: context)
      } catch let error as ImportError {
        // Tried again it would come to the same: that is an end, and no failure to be repeated.
        return .complete(.refused(error))
      }
    }
  }

  private func importRows(
    _ part: ImportPart, in context: DurableContext<ImportServices>
  ) async throws -> DurableStep<AirportImportPart, ImportPartEnd> {
    let services = context.services
    let standing = try await services.directory.standing(ofImport: part.run)
    guard !standing.isOver, let place = standing.place, place.offset >= part.start else {
      return .complete(.passedOver)
    }
    guard place.offset < part.end else { return .complete(.imported) }
    var position = ImportPosition(file: part.file, place: place)
    services.report(position.fraction, standing.counts, of: part.file.source)
    let rows = try await services.reading.rows(at: &position, upTo: part.end)
    let (absent, next) = (part.file.header.absent, position.place)
    do {
      try await context.store { [directory = services.directory] db in
        try ImportLedger(db, run: part.run)
          .add(rows, leaving: absent, into: directory, from: place, to: next)
      }
    } catch is ImportMoved {
      // Another process had the part before, stalled, and stored them after all: look again.
      return .advance(to: self)
    }
    return next.offset < part.end ? .advance(to: self) : .complete(.imported)
  }
}

/// A part of a file, which a run of its own imports.
struct ImportPart: Sendable, Equatable, Codable {
  /// The import that it is a part of: its counts, its rejects and its place are those of this run.
  let run: RunID
  let file: ImportFile
  let start: Int
  let end: Int
}

enum ImportPartEnd: Sendable, Equatable, Codable {
  case imported
  case refused(ImportError)

  /// None of its rows are imported: a part before it has not come to its end, or nobody wants the import
  /// any more.
  case passedOver
}

extension ImportPart {
  /// The parts of a file that begins its parts at these places, but for those before an offset.
  static func all(
    of file: ImportFile, at places: [CSVPosition], run: RunID, after offset: Int
  ) -> [ImportPart] {
    let starts = [0] + places.map(\.offset)
    let ends = places.map(\.offset) + [file.source.size]
    return zip(starts, ends).compactMap { start, end in
      end > offset ? ImportPart(run: run, file: file, start: start, end: end) : nil
    }
  }
}
