#if SQLite && (os(macOS) || os(Linux))
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import GRDB
  import Testing

  /// Some points here; `Scripts/crash` asks for all.
  @Suite(
    "A process that is killed at a call by which SQLite changes files", .timeLimit(.minutes(20)))
  struct KillPointTests {
    private static let seed: UInt64 = 0x0DD_B175

    /// What a trip says when nothing comes in between.
    private static let wholeTrip = [
      "opened", "started", "signalled", "queued", "paused", "given 0", "resumed", "finished 0",
      "finished 1", "finished 2", "bought", "bought", "finished 3", "followed", "completed yes 1 2",
      "ended",
    ]
    private static let souvenirs = 2

    /// Where to be killed, with what is done there.
    private struct Point: Sendable {
      var moment: String
      var number: Int
      var change: String

      var argument: String { "\(moment) \(number)" }
    }

    @Test(
      "It loses nothing of what it had told, and the next one comes to the same end",
      arguments: [false, true])
    func everyPoint(isOpenElsewhere: Bool) async throws {
      let all = try await points(isOpenElsewhere: isOpenElsewhere)
      // A dozen commits; alone, also the making of the file and the emptying of the log.
      #expect(all.count > 200)
      let chosen = Thoroughness.some(24, of: all, "points to be killed at", seed: Self.seed)
      var unharmed = 0
      for point in chosen {
        let folder = try Folder()
        // With another process in it the shared memory stays as the killed one leaves it.
        let other = isOpenElsewhere ? try SQLiteJournal(path: folder.path) : nil
        let told = try await travel(folder, point.argument)
        let context = """
          killed \(point.argument) (\(point.change)), seed \(Self.seed), \
          open elsewhere: \(isOpenElsewhere)
          """
        #expect(Self.wholeTrip.starts(with: told), "\(told), \(context)")
        // Not after every sync is there something to share.
        if told == Self.wholeTrip { unharmed += 1 }
        var rest = Self.wholeTrip
        for stage in try await examine(folder, after: told, context) {
          rest.firstIndex(of: stage).map { _ = rest.remove(at: $0) }
        }
        #expect(try await travel(folder) == rest, "\(context)")
        try await examineEnd(folder, context)
        try await other?.close()
      }
      #expect(
        unharmed <= max(3, chosen.count / 20),
        "\(unharmed) of \(chosen.count), seed \(Self.seed)")
    }

    /// All points of a trip.
    private func points(isOpenElsewhere: Bool) async throws -> [Point] {
      let folder = try Folder()
      let other = isOpenElsewhere ? try SQLiteJournal(path: folder.path) : nil
      defer { withExtendedLifetime(other) {} }
      let changes = try await travel(folder, "list").filter { $0.hasPrefix("change ") }
      var points: [Point] = []
      for (index, change) in changes.enumerated() {
        let isWrite = change.hasPrefix("change write")
        let isLogSync = change.hasPrefix("change sync") && change.hasSuffix("-wal")
        for moment in ["before", "after"] + (isWrite ? ["halfway"] : [])
          + (isLogSync ? ["sharing"] : [])
        {
          points.append(Point(moment: moment, number: index + 1, change: change))
        }
      }
      return points
    }

    /// Lets the helper program make its trip.
    ///
    /// - Returns: what it said.
    private func travel(_ folder: Folder, _ point: String? = nil) async throws -> [String] {
      let path = folder.path
      return try await onThread {
        try OtherProcess("travel", path, point).end().map { line in
          line.hasPrefix("started") ? "started" : line
        }
      }
    }

    /// What was told is there, and nothing that is half.
    ///
    /// - Returns: the stages that are behind the runs, as they are told.
    private func examine(
      _ folder: Folder, after told: [String], _ context: String
    ) async throws -> [String] {
      let journal = try SQLiteJournal(path: folder.path)
      let state = try await JournalState(of: journal)
      #expect(state.isUnbroken, "\(state), \(context)")
      let runs = try await journal.runs(RunQuery()).runs
      try await journal.close()
      let trip = runs.first { $0.key == "trip" }
      let follower = runs.first { $0.key == "follower" }
      let children = runs.filter { $0.parent != nil }
      #expect(!told.contains("started") || trip != nil, "\(told), \(context)")
      #expect(!told.contains("queued") || follower != nil, "\(told), \(context)")
      // They are there if and only if the step is.
      let sequence = trip?.sequence ?? 0
      #expect(children.count == (sequence > 2 ? Self.souvenirs : 0), "\(runs), \(context)")
      #expect(runs.count == children.count + (trip == nil ? 0 : 1) + (follower == nil ? 0 : 1))
      // Of one key with a limit of one: this one comes when that one is over.
      #expect(follower?.fence ?? 0 == 0 || trip?.state == .completed, "\(runs), \(context)")
      let stages =
        (0..<sequence).map { "finished \($0)" }
        + children.filter { $0.state == .completed }.map { _ in "bought" }
        + (follower?.state == .completed ? ["followed"] : [])
      let finished = told.count { stage in
        ["finished", "bought", "followed"].contains { stage.hasPrefix($0) }
      }
      // One more may be made, whose telling was cut off.
      #expect((finished...finished + 1).contains(stages.count), "\(stages), \(told), \(context)")
      return stages
    }

    private func examineEnd(_ folder: Folder, _ context: String) async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let state = try await JournalState(of: journal)
      #expect(state.isUnbroken, "\(context)")
      let runs = try await journal.runs(RunQuery()).runs
      let run = try #require(runs.first { $0.key == "trip" })
      let payload = String(decoding: run.payload, as: UTF8.self)
      #expect(
        run.state == .completed && run.sequence == 4 && payload == "\"yes 1 2\"", "\(context)")
      #expect(runs.allSatisfy { $0.state == .completed }, "\(context)")
      #expect(runs.count == 2 + Self.souvenirs, "\(context)")
      let stages = try await journal.chain(of: run.id).map {
        String(decoding: $0.payload, as: UTF8.self)
      }
      #expect(
        stages == [
          #"{"leave":{}}"#, #"{"ask":{}}"#, #"{"hear":{}}"#, #"{"unpack":{"_0":"yes"}}"#,
        ], "\(context)")
      let keys = runs.flatMap { run in (0..<run.sequence).map { "\(run.id)-\($0)" } }.sorted()
      // Outside: each at least once, and one of them twice at most, as there was one kill.
      let lines = String(
        decoding: folder.bytes(of: "journal.sqlite-effects") ?? Data(), as: UTF8.self
      ).split(whereSeparator: \.isWhitespace).map(String.init)
      #expect(Set(lines) == Set(keys) && lines.count <= keys.count + 1, "\(lines), \(context)")
      // In the transaction of the checkpoint: each exactly once.
      let queue = try DatabaseQueue(path: folder.path)
      let effects = try await queue.read { database in
        try String.fetchAll(database, sql: "SELECT key FROM effect ORDER BY key")
      }
      #expect(effects == keys, "\(context)")
      try queue.close()
      try await journal.close()
    }
  }
#endif
