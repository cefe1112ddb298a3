import FieldstoneDurable
import Foundation

/// The files of the nightly export in their folder, named by the moment of their beginning in UTC.
///
/// So their names sort as they were made, also where clocks are set back.
enum NightlyFile {
  /// The name of the file of an export that begins then: airports-20261125T013000Z.csv.
  static func name(at date: Date) -> String {
    let style = Date.ISO8601FormatStyle(
      dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted)
    return "airports-" + date.formatted(style) + ".csv"
  }

  /// Whether a file of this name is one of them.
  static func isOne(_ name: String) -> Bool {
    name.wholeMatch(of: /airports-\d{8}T\d{6}Z\.csv/) != nil
  }

  /// Removes all but the newest.
  ///
  /// Files of other names stay.
  static func removeOld(in folder: String, keeping count: Int) {
    for name in names(in: folder).filter(isOne).sorted().dropLast(count) {
      remove(name, in: folder)
    }
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
