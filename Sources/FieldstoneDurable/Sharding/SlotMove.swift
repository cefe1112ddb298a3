import Foundation

/// A journal that can give slots to another journal, and take slots.
package protocol MovableJournal: CopySource {
  /// Refuses all further writes except those of a move, of any process and any version, with
  /// ``JournalError/sealed``.
  ///
  /// Calling it again changes nothing.
  ///
  /// - Throws: `JournalError.sealed` for a journal that was copied to another or is the target of a
  ///   copy.
  func beginMove() async throws

  /// Writes the rows of moved runs that do not exist yet, in one transaction.
  func insertMoved(_ rows: [[CopiedCell]], into table: CopiedTable) async throws

  /// Deletes some hundred runs of slots with all their data, in one transaction.
  ///
  /// - Parameter mark: the end of the runs of the previous call; nil for the first.
  /// - Returns: the end of these runs; nil if there were none after the mark.
  func removeMoved(
    _ slots: [ClosedRange<UInt16>], after mark: CopiedCell?
  ) async throws -> CopiedCell?

  /// Ends the move and accepts writes again, in one transaction.
  ///
  /// - Parameters:
  ///   - slots: the slots that the journal owns from now on.
  ///   - pauses: the pauses of runs that came with the slots.
  ///   - schedules: the schedules that came with them.
  ///   - removed: the names of the schedules that left with them.
  func endMove(
    owning slots: JournalSlots, adding pauses: [JournalPause], _ schedules: [ScheduleRecord],
    removing removed: [String]
  ) async throws
}

/// The move of slots from one journal to another, while no worker runs.
package enum SlotMove {
  /// The last step of a move.
  package enum Progress: Sendable, Hashable {
    /// A journal refuses other writes from now on.
    case sealed
    /// The target has this many rows of a table; all of them if it is done.
    case copied(CopiedTable, rows: Int, isDone: Bool)
    /// The target owns the slots, and accepts writes.
    case taken
    /// Some or all runs are deleted from the source.
    case removed
    /// The source accepts writes, without the slots.
    case done
  }

  /// Moves slots with their runs and schedules.
  ///
  /// Both journals refuse all other writes meanwhile. First the rows are copied and counted; then
  /// the target owns the slots, and accepts writes. Then the source deletes the rows and gives up
  /// the slots, and accepts writes. After an interruption at any point, repeat the call: existing
  /// rows are skipped. Before the target owns the slots, an error that a repetition would meet
  /// again undoes the move: the target deletes the copies, and both accept writes. Runs that a
  /// worker held when it stopped count as given back by a shutdown. A run in quarantine leaves it,
  /// with its crashes.
  ///
  /// - Parameter report: called after each transaction; an error that it throws ends the move
  ///   there.
  /// - Throws: ``UnfinishedTransfer`` if the journals stay sealed; the error itself otherwise.
  /// - Complexity: O(n) in the number of rows of both journals; the memory of one page.
  package static func move(
    _ moved: [ClosedRange<UInt16>], from source: any MovableJournal,
    to target: any MovableJournal, report: (Progress) throws -> Void = { _ in }
  ) async throws {
    guard let old = try await source.slots(), let new = try await target.slots() else {
      throw JournalError.noSlots
    }
    guard old.group == new.group else {
      throw ShardingError.groupsDiffer([old.group, new.group].sorted())
    }
    let moved = JournalSlots.united(moved)
    let isGone = JournalSlots.subtracting(old.ranges, from: moved) == moved
    let isThere = JournalSlots.subtracting(new.ranges, from: moved).isEmpty
    let rest = JournalSlots.subtracting(moved, from: old.ranges)
    let isWhole = JournalSlots.subtracting(old.ranges, from: moved).isEmpty
    let isForeign = JournalSlots.subtracting(new.ranges, from: moved) == moved
    // The move was completed before.
    if isGone, isThere, !moved.isEmpty { return }
    guard isWhole, isThere || isForeign, !moved.isEmpty else {
      throw ShardingError.slotsNotThere(JournalSlots.text(moved))
    }
    try await source.beginMove()
    try await UnfinishedTransfer.marking {
      func tell(_ progress: Progress) throws {
        try UnfinishedTransfer.PassedOn.marking { try report(progress) }
      }
      let schedules: [ScheduleRecord]
      do {
        try tell(.sealed)
        let route = ShardRoute(flowsOnOneShard: Set(old.flowsOnOneShard))
        schedules = try Self.schedules(in: try await source.schedules(), of: moved, by: route)
        if !isThere {
          try await checkKeys(in: source, moved, by: route)
          try await give(
            moved, with: schedules, from: source, to: target, owning: new, report: tell)
        }
      } catch let failure where !isThere && isFinal(failure) {
        throw await undoing(failure, from: source, owning: old, to: target, owning: new)
      }
      try await removeAll(moved, in: source) { try tell(.removed) }
      try await source.endMove(
        owning: old.owning(rest), adding: [], [], removing: schedules.map(\.name))
      try tell(.done)
    }
  }

  /// Copies the rows of the slots, and gives the slots to the target.
  private static func give(
    _ moved: [ClosedRange<UInt16>], with schedules: [ScheduleRecord],
    from source: any MovableJournal, to target: any MovableJournal, owning new: JournalSlots,
    report: (Progress) throws -> Void
  ) async throws {
    try await target.beginMove()
    try report(.sealed)
    try await copy(moved, from: source, to: target, report: report)
    let pauses = try await source.pauses().filter { pause in
      if case .run(let id) = pause.target {
        moved.contains { $0.contains(id.slot) }
      } else {
        false
      }
    }
    // An interrupted change of a schedule may have left an old copy of it in the target.
    try await target.endMove(
      owning: new.owning(new.ranges + moved), adding: pauses, schedules,
      removing: schedules.map(\.name))
    try report(.taken)
  }

  /// Whether a repetition would end with the same error.
  private static func isFinal(_ error: any Error) -> Bool {
    switch error {
    case is UnfinishedTransfer.PassedOn, is CancellationError: false
    case let error as JournalError: !error.isTransient
    default: true
    }
  }

  /// Opens both journals again as they were before the move, which has failed.
  ///
  /// - Returns: the error to be thrown, as it is if both are open.
  private static func undoing(
    _ failure: any Error, from source: any MovableJournal, owning old: JournalSlots,
    to target: any MovableJournal, owning new: JournalSlots
  ) async -> any Error {
    do {
      // The target may have taken the slots, although its answer was an error.
      guard try await target.slots() == new else { return failure }
      // Copies go before the source changes its runs again, so that no later move takes them for
      // the runs as they are. Of slots that it does not own, the target has nothing else.
      do {
        try await removeAll(
          JournalSlots.subtracting(new.ranges, from: JournalSlots.all), in: target)
      } catch JournalError.sealed {
        // It is sealed for another reason than a move, and has no copies.
      }
      try await target.endMove(owning: new, adding: [], [], removing: [])
      try await source.endMove(owning: old, adding: [], [], removing: [])
      return UnfinishedTransfer.PassedOn(error: failure)
    } catch {
      // The first error is the cause.
      return failure
    }
  }

  private static func removeAll(
    _ slots: [ClosedRange<UInt16>], in journal: any MovableJournal,
    report: () throws -> Void = {}
  ) async throws {
    var mark: CopiedCell?
    while let end = try await journal.removeMoved(slots, after: mark) {
      mark = end
      try report()
    }
  }

  private static func copy(
    _ moved: [ClosedRange<UInt16>], from source: any MovableJournal,
    to target: any MovableJournal, report: (Progress) throws -> Void
  ) async throws {
    // Audit rows stay in the journal of their change.
    for table in CopiedTable.all where table != .audit {
      var count = 0
      try await forEachPage(of: table, in: source, moved) { rows in
        let given = table == .runs ? rows.map(givenBack) : rows
        if !given.isEmpty { try await target.insertMoved(given, into: table) }
        count += given.count
        try report(.copied(table, rows: count, isDone: false))
      }
      guard table.hasKey else { continue }
      var there = 0
      try await forEachPage(of: table, in: target, moved) { there += $0.count }
      guard there == count else {
        throw ShardingError.countsDiffer(table.words, source: count, target: there)
      }
      try report(.copied(table, rows: count, isDone: true))
    }
  }

  /// Reads all rows of a table, and passes on those of some slots.
  private static func forEachPage(
    of table: CopiedTable, in journal: any MovableJournal, _ slots: [ClosedRange<UInt16>],
    _ body: ([[CopiedCell]]) async throws -> Void
  ) async throws {
    let place = table.placeOfRun
    var mark: [CopiedCell]?
    while true {
      let page = try await journal.rows(of: table, after: mark)
      guard !page.rows.isEmpty else { return }
      try await body(
        page.rows.filter { row in
          guard case .run(let id) = row[place] else { return false }
          return slots.contains { $0.contains(id.slot) }
        })
      mark = page.mark
    }
  }

  /// Throws for runs whose identifier has another slot than their key, or than their flow on one
  /// shard, as from before the journals were sharded: both must stay together.
  private static func checkKeys(
    in source: any MovableJournal, _ moved: [ClosedRange<UInt16>], by route: ShardRoute
  ) async throws {
    func isMoved(_ slot: UInt16) -> Bool { moved.contains { $0.contains(slot) } }
    let table = CopiedTable.runs
    let (flow, key, concurrency) = (
      table.place(of: "flow"), table.place(of: "key"), table.place(of: "concurrency")
    )
    let (state, parent) = (table.place(of: "state"), table.place(of: "parent"))
    func text(_ cell: CopiedCell) -> String? {
      if case .text(let text) = cell { text } else { nil }
    }
    try await forEachPage(of: .runs, in: source, JournalSlots.all) { rows in
      for row in rows {
        // A child has its parent's slot, whatever its concurrency key is.
        guard case .run(let id) = row[0], case .text(let flow) = row[flow], row[parent] == .none
        else { continue }
        // A completed run takes up no place of a limit, so that only a key still binds it.
        if row[key] == .none, row[state] == .integer(RunState.completed.code) { continue }
        let slot = route.slot(in: flow, key: text(row[concurrency]) ?? text(row[key]))
        if let slot, isMoved(slot) != isMoved(id.slot) {
          throw ShardingError.keyElsewhere(id, other: slot)
        }
      }
    }
  }

  /// The schedules that go with the slots: those whose runs do.
  private static func schedules(
    in records: [ScheduleRecord], of moved: [ClosedRange<UInt16>], by route: ShardRoute
  ) throws -> [ScheduleRecord] {
    try records.filter { record in
      guard let schedule = try? ScheduleStatus(record).schedule else {
        throw ShardingError.unreadableSchedule(record.name)
      }
      guard let slot = route.slot(in: schedule.flow, key: schedule.slotKey) else { return false }
      return moved.contains { $0.contains(slot) }
    }
  }

  /// The run as after a shutdown of its worker, and out of quarantine.
  private static func givenBack(_ row: [CopiedCell]) -> [CopiedCell] {
    var row = row
    func set(_ name: String, _ cell: CopiedCell) { row[CopiedTable.runs.place(of: name)] = cell }
    func cell(_ name: String) -> CopiedCell { row[CopiedTable.runs.place(of: name)] }
    set("quarantine", .none)
    set("is_alone", .boolean(false))
    guard cell("state") == .integer(RunState.running.code) else { return row }
    set("state", .integer(RunState.ready.code))
    if case .integer(let attempts) = cell("attempts") {
      set("attempts", .integer(max(0, attempts - 1)))
    }
    set("waits", .integer(0))
    if case .date(let changed) = cell("changed_at"), case .integer(let priority) = cell("priority")
    {
      set("wakes_at", .date(changed - Double(priority) * secondsPerPriority))
    }
    for name in ["due_at", "paused_at", "worker", "lease_end", "check_at"] { set(name, .none) }
    return row
  }
}

extension CopiedTable {
  /// The index of the column with the row's run.
  fileprivate var placeOfRun: Int {
    switch identity {
    case .runs, .attributes: place(of: "id")
    case .replacements, .steps, .signals, .reports, .logLines: place(of: "run")
    case .cancellations: place(of: "parent")
    // Its rows have no run.
    case .audit: 0
    }
  }
}
