import Fieldstone
import FieldstoneDurable
import FieldstoneSQLite
import GRDB

/// The export of airports as a durable flow.
///
/// What is to be exported is settled first; then page after page is written or posted, and a file
/// becomes what it is called last. A page is fixed by the checkpoint before it: done again after a
/// kill it has the same airports, and goes out under the same key.
enum AirportExport: DurableStage, VersionedFlow, Equatable {
  case open(ExportRequest)
  case page(ExportPosition)
  case finish(ExportPosition)

  static let flowName = "airfield.export"

  @concurrent func next(
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
    let place = try ExportPlace(request, run: context.run, in: context.services)
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
    if case .file(let file) = position.place {
      try file.finish(length: position.bytes, replacing: context.services.replaces)
    }
    let summary = ExportSummary(
      target: position.request.target, rows: position.rows, pages: position.page)
    return end(.exported(summary), in: context)
  }

  private func end(
    _ end: ExportEnd, in context: DurableContext<ExportServices>
  ) -> DurableStep<AirportExport, ExportEnd> {
    let name = request.name
    // Exports of a schedule have names of their own, and none is asked for again.
    if context.services.wanted != nil, !context.services.directory.isReadOnly {
      // Counted, so that the same asked for again is a new one.
      context.atCheckpoint { db in
        try db.execute(
          sql: """
            INSERT INTO exportRun (name, finished) VALUES (?, 1)
            ON CONFLICT (name) DO UPDATE SET finished = finished + 1
            """, arguments: [name])
      }
    }
    return .complete(end)
  }
}

/// What an export needs from outside; none of it is state of the export.
struct ExportServices: Sendable {
  let directory: AirportDirectory

  /// The export that was asked for, or nil for any; others that are found unfinished are set aside.
  let wanted: ExportRequest?

  /// Whether a file takes the place of one that is there.
  var replaces = true
  var pageSize = ExportRequest.pageSize

  var poster = PagePoster()
  var progress: @Sendable (ExportProgress) -> Void = { _ in }
}

/// An unfinished export was found by somebody who was asked for another one.
struct ExportSetAside: DescribedError {
  var message: String { "set aside for another export; the same command goes on with it" }
}
