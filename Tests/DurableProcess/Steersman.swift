#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation

  /// Cancels some runs, and forks those: the same each time, so that it can be repeated after a kill.
  struct Steersman {
    static let runs = 6

    let path: String

    func steer() async throws {
      let journal = try SQLiteJournal(path: path)
      let date = Date(timeIntervalSince1970: 1_800_000_000)
      let time = JournalTime(date: date, uptime: .zero, boot: "boot")
      var generator = SeededGenerator(seed: 7)
      for number in 0..<Self.runs {
        let id = RunID(at: date + Double(number), using: &generator)
        _ = try await journal.start(
          RunStart(id: id, flow: "ships", version: 1, payload: Data("\(number)".utf8)), at: time)
      }
      say("opened")
      let name = RunID(at: date + 60, using: &generator)
      let query = RunQuery(flow: "ships")
      let call = BulkCall(by: "ada", checkedBy: .unchecked)
      for action in [BulkChange.Action.cancel, .fork(from: 0)] {
        let bulk = BulkChange(action, of: query, id: name)
        let youngest = RunID(at: date + 30, slot: 0)
        _ = try await journal.perform(bulk, upTo: youngest, call, at: time)
        say("done")
      }
      try await journal.close()
      say("ended")
    }
  }
#endif
