import FieldstoneDurable
import Foundation

/// One nightly export as a durable flow: a file of its own, and then no more files than are to stay.
///
/// The file is written by the stages of ``AirportExport``, which stand within those of this flow.
enum NightlyExport: DurableStage, VersionedFlow, Equatable {
  /// The file is to get its name; again where what was written has been removed by somebody.
  case begin(NightlyPlan, isAgain: Bool = false)
  case export(AirportExport, by: NightlyPlan, isAgain: Bool)
  case tidy(ExportSummary, by: NightlyPlan)

  static let flowName = "airfield.nightly"

  @concurrent func next(
    in context: DurableContext<ExportServices>
  ) async throws -> DurableStep<NightlyExport, ExportEnd> {
    switch self {
    case .begin(let plan, let isAgain):
      // A checkpoint keeps the name before there is a file, so that a kill leaves no second one.
      let path = plan.folder + "/" + NightlyFile.name(at: context.now)
      // Of two that begin in the same second the later one takes the next second's name.
      if FileManager.default.fileExists(atPath: path) {
        return .wait(until: context.now + 1, then: self)
      }
      let request = ExportRequest(
        to: .file(path: path), pageSize: context.services.pageSize)
      return .advance(to: .export(.open(request), by: plan, isAgain: isAgain))
    case .export(let export, let plan, let isAgain):
      return try await export.next(in: context).map {
        .export($0, by: plan, isAgain: isAgain)
      } completion: { end in
        switch end {
        case .exported(let summary): .advance(to: .tidy(summary, by: plan))
        // Somebody else's has got the name meanwhile, or what was written has been removed.
        case .refused(.exists) where !isAgain, .lost where !isAgain:
          .advance(to: .begin(plan, isAgain: true))
        case .lost: .complete(.refused(.disturbed(path: plan.folder)))
        case .refused: .complete(end)
        }
      }
    case .tidy(let summary, let plan):
      NightlyFile.removeOld(in: plan.folder, keeping: plan.kept, with: summary.target.name)
      await NightlyFile.removeUnfinished(
        in: plan.folder, journal: context.services.directory.journal)
      return .complete(.exported(summary))
    }
  }

  var plan: NightlyPlan {
    switch self {
    case .begin(let plan, _), .export(_, let plan, _), .tidy(_, let plan): plan
    }
  }

  var progress: ExportProgress {
    switch self {
    case .begin: ExportProgress(fraction: 0, rows: 0)
    case .export(let export, _, _): export.progress
    case .tidy(let summary, _): ExportProgress(fraction: 1, rows: summary.rows)
    }
  }
}

/// The files of the nightly export in their folder, named by the moment of their beginning in UTC.
///
/// So their names sort as they were made, also where clocks go back an hour in autumn; those of a clock
/// that was ahead stand behind the others for as long.
enum NightlyFile {
  /// The name of the file of an export that begins then: airports-20261125T013000Z.csv.
  static func name(at date: Date) -> String {
    let style = Date.ISO8601FormatStyle(
      dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted)
    return "airports-" + date.formatted(style) + ".csv"
  }

  static func isOne(_ name: String) -> Bool {
    name.wholeMatch(of: /airports-\d{8}T\d{6}Z\.csv/) != nil
  }

  /// Removes all but the one at a path, and the newest by their names beside it.
  ///
  /// Files of other names stay.
  static func removeOld(in folder: String, keeping count: Int, with path: String) {
    let own = URL(filePath: path).lastPathComponent
    let others = names(in: folder).filter { isOne($0) && $0 != own }
    for name in others.sorted().dropLast(max(0, count - 1)) { remove(name, in: folder) }
  }

  /// Removes what exports have left unfinished that are over by now.
  ///
  /// What a journal does not know belongs to another database, and stays.
  static func removeUnfinished(in folder: String, journal: any Journal) async {
    for name in names(in: folder) {
      guard let match = name.wholeMatch(of: /\.(airports-[^.]*\.csv)\.([^.]+)\.part/),
        isOne(String(match.1)), let run = RunID(String(match.2)),
        let record = try? await journal.run(run), record.state.isOver
      else { continue }
      remove(name, in: folder)
    }
  }

  private static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  private static func remove(_ name: String, in folder: String) {
    // One that can't be removed is tried again the next night.
    try? FileManager.default.removeItem(atPath: folder + "/" + name)
  }
}
