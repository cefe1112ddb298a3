import Fieldstone
import FieldstoneDurable
import FieldstoneSQLite

/// The import of an airport file as a durable flow.
///
/// The file is looked at as a whole first; then about a thousand rows at a time are read and made
/// airports, until the file ends. A file of more than a part is cut into parts, each a child that does
/// that with its rows. What a stage comes to is written in the transaction of its checkpoint, or with the
/// place that it has come to where the journal is elsewhere: an import that is killed at any moment goes on
/// from there, and nothing is counted or stored twice.
enum AirportImport: DurableStage, VersionedFlow, Equatable {
  case open(ImportSource)
  case chunk(ImportPosition)

  /// The parts are over: all rows are imported, or what kept a part from its end is to be told, or the
  /// rest is to be imported in new parts.
  case parts(ImportFile)
  case finish(ImportFile)

  static let flowName = "airfield.import"

  /// The version of the flow: the first one knew no parts.
  static let flowVersion = 2

  @concurrent func next(
    in context: DurableContext<ImportServices>
  ) async throws -> DurableStep<AirportImport, ImportEnd> {
    // One in parts may be somebody else's who waits for it; it is given up by the importer.
    guard isInParts || context.services.isWanted(source) else {
      return try await end(.abandoned, in: context)
    }
    do {
      switch self {
      case .open(let source): return try await open(source, in: context)
      case .chunk(let position): return try await importRows(position, in: context)
      case .parts(let file): return try await goOn(file, in: context)
      case .finish(let file): return try await finish(file, in: context)
      }
    } catch let error as ImportError {
      // Tried again it would come to the same: that is an end, and no failure to be repeated.
      return try await end(.refused(error), in: context)
    }
  }

  /// The part of the file that was imported, from 0 to 1.
  ///
  /// - Parameter place: where an import in parts stands.
  func fraction(at place: CSVPosition?) -> Double {
    switch self {
    case .open: 0
    case .chunk(let position): position.fraction
    case .parts(let file): ImportPosition(file: file, place: place ?? .start).fraction
    case .finish: 1
    }
  }

  var source: ImportSource {
    switch self {
    case .open(let source): source
    case .chunk(let position): position.file.source
    case .parts(let file), .finish(let file): file.source
    }
  }

  /// Whether it waits for parts, or goes on behind them.
  var isInParts: Bool {
    if case .parts = self { true } else { false }
  }

  private func open(
    _ source: ImportSource, in context: DurableContext<ImportServices>
  ) async throws -> DurableStep<AirportImport, ImportEnd> {
    var places: [CSVPosition] = []
    let file = try ImportFile(
      source, batchesPerPart: context.services.batchesPerPart, places: &places)
    let run = context.run
    // Elsewhere one part is a child, too: by its place a batch knows that it is stored.
    guard !places.isEmpty || context.services.isElsewhere else {
      context.atCheckpoint { db in try ImportLedger(db, run: run).begin(source) }
      return .advance(to: .chunk(ImportPosition(file: file)))
    }
    try await context.store { db in try ImportLedger(db, run: run).begin(source, at: .start) }
    return try join(ImportPart.all(of: file, at: places, run: run, after: 0), of: file, in: context)
  }

  /// Starts parts and waits for them, or until one has failed.
  private func join(
    _ parts: [ImportPart], of file: ImportFile, in context: DurableContext<ImportServices>
  ) throws -> DurableStep<AirportImport, ImportEnd> {
    let options = RunOptions(concurrencyKey: context.run.description)
    let children = try parts.map { part in
      try context.child(
        AirportImportPart.chunk(part), options: options, flow: context.services.partFlow)
    }
    // Behind a part that is dead no other can do anything.
    return .join(children, when: .failFast, then: .parts(file))
  }

  /// Goes on behind the parts: to the end where all rows are imported, otherwise to the rest of them.
  private func goOn(
    _ file: ImportFile, in context: DurableContext<ImportServices>
  ) async throws -> DurableStep<AirportImport, ImportEnd> {
    let directory = context.services.directory
    let standing = try await directory.standing(ofImport: context.run)
    let offset = standing.place?.offset ?? 0
    // It may be over already, if a process died before the journal was told.
    guard offset < file.source.size else { return try await finish(file, in: context) }
    guard !standing.isOver else { return try await end(.abandoned, in: context) }
    if let failure = try await failure(in: context), standing.failedAt != context.sequence {
      // Told once: asked for again, the import comes here again, and tries the rest.
      try await directory.note(failureOf: context.run, at: context.sequence)
      throw MessageError(failure)
    }
    var places: [CSVPosition] = []
    _ = try ImportFile(
      file.source, batchesPerPart: context.services.batchesPerPart, places: &places)
    let rest = ImportPart.all(of: file, at: places, run: context.run, after: offset)
    return try join(rest, of: file, in: context)
  }

  /// What has kept a part from its end and is for a person to look at; nil where nothing has, as when
  /// the import was cancelled with its parts.
  ///
  /// - Throws: what keeps the file from being imported any further.
  private func failure(in context: DurableContext<ImportServices>) async throws -> String? {
    for try await part in context.children {
      switch part.end {
      case .completed:
        let end = try part.value(as: ImportPartEnd.self)
        if case .refused(let error) = end { throw error }
      case .dead: return part.error ?? "A part of the import has failed without saying why."
      case .cancelled: return "A part of the import was cancelled."
      case .ready, .running, .blocked, nil: continue
      }
    }
    return nil
  }

  private func importRows(
    _ position: ImportPosition, in context: DurableContext<ImportServices>
  ) async throws -> DurableStep<AirportImport, ImportEnd> {
    let (services, run) = (context.services, context.run)
    try await report(in: context)
    var position = position
    let rows = try await services.reading.rows(at: &position)
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
    let standing = try await report(in: context)
    // Once it is over they may be forgotten, and the file has been written.
    if !standing.isOver {
      try await services.rejects.write(RejectPieces(directory: services.directory, run: run))
    }
    return try await end(
      .imported(ImportSummary(file: file.source.title, counts: standing.counts)), in: context)
  }

  private func end(
    _ end: ImportEnd, in context: DurableContext<ImportServices>
  ) async throws -> DurableStep<AirportImport, ImportEnd> {
    let (source, run) = (source, context.run)
    let keepsRejects = context.services.keepsRejects
    try await context.store { db in
      try ImportLedger(db, run: run).end(path: source.path, keepsRejects: keepsRejects)
    }
    return .complete(end)
  }

  /// Tells how far the import has come: of what is stored, not of what may yet be done again.
  @discardableResult
  private func report(in context: DurableContext<ImportServices>) async throws -> ImportStanding {
    let standing = try await context.services.directory.standing(ofImport: context.run)
    context.services.report(fraction(at: standing.place), standing.counts, of: source)
    return standing
  }
}
