import Fieldstone
package import FieldstoneDurable
import FieldstoneSQLite
import GRDB

/// The export of airports as a durable flow.
///
/// What is to be exported is settled first; then page after page is written or posted, and a file
/// becomes what it is called last. A page is fixed by the checkpoint before it: done again after a
/// kill it has the same airports, and goes out under the same key.
package enum AirportExport: DurableStage, VersionedFlow, Equatable {
  /// The export is to be begun.
  case open(ExportRequest)

  /// The next page is to be written or posted.
  case page(ExportPosition)

  /// All pages are out; a file is to take the place of what was there.
  case finish(ExportPosition)

  /// The name of the flow.
  package static let flowName = "airfield.export"

  /// Does this stage's work and tells what follows.
  @concurrent package func next(
    in context: DurableContext<ExportServices>
  ) async throws -> DurableStep<AirportExport, ExportEnd> {
    // It stays as it is, key and all: whoever asks for it again goes on with it.
    if let wanted = context.services.wanted, wanted != request { throw ExportSetAside() }
    do {
      switch self {
      case .open(let request): return try await open(request, in: context)
      case .page(let position): return try await export(position, in: context)
      case .finish(let position): return try finish(position, in: context)
      }
    } catch let error as ExportError {
      // Tried again it would come to the same: that is an end, and no failure to be repeated.
      return end(.refused(error), in: context)
    } catch is PartialFileLost {
      return end(.lost, in: context)
    }
  }

  /// How far the export has come.
  var progress: ExportProgress {
    switch self {
    case .open: ExportProgress(fraction: 0, rows: 0)
    case .page(let position): position.progress
    case .finish(let position): ExportProgress(fraction: 1, rows: position.rows)
    }
  }

  private var request: ExportRequest {
    switch self {
    case .open(let request): request
    case .page(let position), .finish(let position): position.request
    }
  }

  private func open(
    _ request: ExportRequest, in context: DurableContext<ExportServices>
  ) async throws -> DurableStep<AirportExport, ExportEnd> {
    let directory = context.services.directory
    if let country = request.country, try await !directory.knowsCountry(country) {
      throw ExportError.unknownCountry(country)
    }
    let extent = try await directory.exportExtent(of: request.query, pageSize: request.pageSize)
    let place = try ExportPlace(request, run: context.run, database: directory.path)
    return .advance(to: .page(ExportPosition(request: request, place: place, extent: extent)))
  }

  private func export(
    _ position: ExportPosition, in context: DurableContext<ExportServices>
  ) async throws -> DurableStep<AirportExport, ExportEnd> {
    let (services, request) = (context.services, position.request)
    services.progress(progress)
    let page = try await services.directory.exportPage(
      position.range, of: request.query, pageSize: request.pageSize)
    var position = position
    switch position.place {
    case .file(let file):
      let lines = try request.format.lines(page.airports)
      position.bytes = try file.write(Array(lines.utf8), at: position.bytes)
    case .address(let address):
      let text = try request.format.header + request.format.lines(page.airports)
      try await services.poster.post(
        ExportPost(
          address: address, body: Array(text.utf8), contentType: request.format.contentType,
          key: context.idempotencyKey, page: position.page, isLast: position.range.isLast))
    }
    position.rows += page.airports.count
    guard let next = page.next else { return .advance(to: .finish(position)) }
    position.page += 1
    position.range = next
    return .advance(to: .page(position))
  }

  private func finish(
    _ position: ExportPosition, in context: DurableContext<ExportServices>
  ) throws -> DurableStep<AirportExport, ExportEnd> {
    context.services.progress(progress)
    if case .file(let file) = position.place { try file.finish(length: position.bytes) }
    let summary = ExportSummary(
      target: position.request.target, rows: position.rows, pages: position.page)
    return end(.exported(summary), in: context)
  }

  private func end(
    _ end: ExportEnd, in context: DurableContext<ExportServices>
  ) -> DurableStep<AirportExport, ExportEnd> {
    let request = request
    // Exports of a schedule have names of their own, and none is asked for again.
    if context.services.wanted != nil, !context.services.directory.isReadOnly {
      context.atCheckpoint { db in try ExportLedger(db).end(request) }
    }
    return .complete(end)
  }
}

/// What an export needs from outside; none of it is state of the export.
package struct ExportServices: Sendable {
  let directory: AirportDirectory

  /// The export that was asked for, or nil for any; others that are found unfinished are set aside.
  let wanted: ExportRequest?

  /// How many airports a page of the nightly export has.
  let pageSize: Int

  let poster: PagePoster
  let progress: @Sendable (ExportProgress) -> Void

  /// Makes services.
  ///
  /// - Parameters:
  ///   - directory: what is exported.
  ///   - wanted: the export that was asked for; nil where each one goes on, as those of a schedule do.
  ///   - pageSize: how many airports a page of the nightly export has.
  ///   - poster: what pages are posted with.
  ///   - progress: called with what is out.
  package init(
    directory: AirportDirectory, wanted: ExportRequest?, pageSize: Int = ExportRequest.pageSize,
    poster: PagePoster = PagePoster(),
    progress: @escaping @Sendable (ExportProgress) -> Void = { _ in }
  ) {
    self.directory = directory
    self.wanted = wanted
    self.pageSize = pageSize
    self.poster = poster
    self.progress = progress
  }
}

/// An unfinished export was found by somebody who was asked for another one.
struct ExportSetAside: DescribedError {
  var message: String { "set aside for another export; the same command goes on with it" }
}

/// Which exports are over, in the transaction of a checkpoint.
struct ExportLedger {
  private let db: Database

  init(_ db: Database) {
    self.db = db
  }

  /// Counts an export that is over, so that the next one is a new one.
  func end(_ request: ExportRequest) throws {
    try db.execute(
      sql: """
        INSERT INTO exportRun (name, finished) VALUES (?, 1)
        ON CONFLICT (name) DO UPDATE SET finished = finished + 1
        """, arguments: [request.name])
  }
}
