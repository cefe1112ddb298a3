import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var schedules: [Self] {
    [
      Self(.schedules) { try await $0.keepsSchedules() },
      Self(.scheduleOnce) { try await $0.changesSchedulesOnce() },
      Self(.scheduleOnce) { try await $0.startsWithTheSchedule() },
      Self(.scheduleOnce) { try await $0.changesSchedulesOnceInACrowd() },
      Self(.scheduleDue) { try await $0.tellsDueSchedules() },
    ]
  }
}

extension JournalExamination {
  private func schedule(
    _ name: String = "nightly", _ progress: Int = 0, definition: Int = 0,
    dueIn seconds: Double? = nil
  ) -> ScheduleRecord {
    ScheduleRecord(
      name: name, definition: json(definition), progress: json(progress),
      dueAt: seconds.map { time.date + $0 })
  }

  private func set(
    _ old: ScheduleRecord?, _ new: ScheduleRecord?, starting starts: [RunStart] = [],
    in journal: (any Journal)? = nil
  ) async throws -> Bool {
    try await (journal ?? self.journal).setSchedule(
      new?.name ?? old?.name ?? "nightly", from: old, to: new, starting: starts, at: time)
  }

  private func tick(key: String? = nil, payload: Data? = nil) -> RunStart {
    var start = RunStart(
      id: newID(), flow: "flow", version: 1, key: key, payload: payload ?? json(0))
    start.attributes = ["schedule": "nightly"]
    return start
  }

  func keepsSchedules() async throws {
    expect(try await journal.schedules(), equals: [], .schedules, "the schedules of a new journal")
    let later = schedule("nightly", dueIn: 60)
    let never = schedule("Nightly\u{301}", 1)
    let first = schedule("10", 2, dueIn: -60)
    for record in [later, never, first] {
      expect(try await set(nil, record), equals: true, .schedules, "the answer to a first setting")
    }
    let all = [first, never, later]
    expect(try await journal.schedules(), equals: all, .schedules, "the schedules")
    if let other {
      expect(try await other.schedules(), equals: all, .schedules, "the schedules of the other one")
    }
    var changed = later
    changed.definition = json(9)
    changed.dueAt = time.date + 3_600
    expect(try await set(later, changed), equals: true, .schedules, "the answer to a change")
    expect(try await set(never, nil), equals: true, .schedules, "the answer to a removal")
    expect(
      try await journal.schedules(), equals: [first, changed], .schedules,
      "the schedules after a change and a removal")
    expect(try await set(nil, never), equals: true, .schedules, "setting again what was removed")
    if let long = payloadAboveLimit {
      try await expectRefusal(.schedules, .tooLarge, "a definition above the limit") {
        _ = try await self.set(
          nil, ScheduleRecord(name: "long", definition: long, progress: self.json(0)))
      }
    }
    if let name = keyAboveLimit {
      try await expectRefusal(.schedules, .keyTooLong, "a name above the limit") {
        _ = try await self.set(nil, self.schedule(name))
      }
    }
    try await expectRefusal(.schedules, .containsNUL, "a name with a NUL") {
      _ = try await self.set(nil, self.schedule("x\0y"))
    }
  }

  func changesSchedulesOnce() async throws {
    let first = schedule("nightly", 1, dueIn: 0)
    let second = schedule("nightly", 2, dueIn: 60)
    expect(
      try await set(first, second), equals: false, .scheduleOnce, "a change of what is not there")
    expect(try await set(nil, first), equals: true, .scheduleOnce, "a first setting")
    expect(try await set(nil, second), equals: false, .scheduleOnce, "another first setting")
    let start = tick()
    expect(
      try await set(first, second, starting: [start]), equals: true, .scheduleOnce, "the first tick"
    )
    expect(
      try await journal.run(start.id)?.state, equals: .ready, .scheduleOnce, "the run of a tick")
    expect(
      try await journal.run(start.id)?.attributes, equals: start.attributes, .scheduleOnce,
      "the attributes of the run of a tick")
    let lost = tick()
    let third = schedule("nightly", 3, dueIn: 120)
    expect(
      try await set(first, third, starting: [lost], in: other), equals: false, .scheduleOnce,
      "the same tick of another worker")
    expect(try await journal.run(lost.id), equals: nil, .scheduleOnce, "the run of a lost tick")
    expect(
      try await journal.schedules(), equals: [second], .scheduleOnce, "the schedule after that")
    expect(
      try await set(first, nil), equals: false, .scheduleOnce, "a removal by an older record")
    var edited = second
    edited.definition = json(5)
    expect(try await set(second, edited), equals: true, .scheduleOnce, "another definition")
    expect(
      try await set(second, third, starting: [lost]), equals: false, .scheduleOnce,
      "a tick by an older definition")
    expect(
      try await journal.run(lost.id), equals: nil, .scheduleOnce, "the run of an old definition")
    var moved = edited
    moved.dueAt = nil
    expect(
      try await set(moved, third), equals: true, .scheduleOnce,
      "a change by a record that differs in its time only")
    expect(try await set(third, nil), equals: true, .scheduleOnce, "a removal")
    expect(
      try await set(third, second, starting: [lost]), equals: false, .scheduleOnce,
      "a tick of what was removed")
    expect(
      try await journal.run(lost.id), equals: nil, .scheduleOnce, "the run of what was removed")
  }

  /// Whether runs and schedule are written together, or neither is.
  func startsWithTheSchedule() async throws {
    let first = schedule("nightly", 1, dueIn: 0)
    let second = schedule("nightly", 2, dueIn: 60)
    expect(try await set(nil, first), equals: true, .scheduleOnce, "a first setting")
    let fine = tick()
    guard let payload = payloadAboveLimit else { return }
    let long = tick(payload: payload)
    try await expectRefusal(.scheduleOnce, .tooLarge, "a start above the limit") {
      _ = try await self.set(first, second, starting: [fine, long])
    }
    expect(
      try await journal.run(fine.id), equals: nil, .scheduleOnce, "a start beside a refused one")
    expect(
      try await journal.schedules(), equals: [first], .scheduleOnce,
      "a schedule with a refused start")
    var starts = (0..<3).map { _ in tick() }
    starts[1].concurrencyKey = "customer"
    starts[2].priority = 3
    expect(
      try await set(first, second, starting: starts), equals: true, .scheduleOnce, "several starts")
    for start in starts {
      let run = try await journal.run(start.id)
      expect(run?.state, equals: .ready, .scheduleOnce, "one of several runs")
      expect(
        run?.concurrencyKey, equals: start.concurrencyKey, .scheduleOnce, "its concurrency key")
      expect(run?.priority, equals: start.priority, .scheduleOnce, "its priority")
    }
    // A run of that key exists: the start finds it, as a start alone would.
    let known = try await start("flow", key: "taken").id
    let third = schedule("nightly", 3)
    let isMade = try await set(second, third, starting: [tick(key: "taken")])
    expect(isMade, equals: true, .scheduleOnce, "a start whose key is taken")
    expect(
      try await journal.runs(RunQuery(flow: "flow", key: "taken")).runs.map(\.id), equals: [known],
      .scheduleOnce, "the runs of a key that was taken")
  }

  func changesSchedulesOnceInACrowd() async throws {
    var kept = schedule("nightly", 0, dueIn: 0)
    expect(try await set(nil, kept), equals: true, .scheduleOnce, "a first setting")
    let journals = [journal, other ?? journal]
    for round in 1...5 {
      let new = schedule("nightly", round, dueIn: 0)
      let (old, now) = (kept, time)
      let starts = (0..<8).map { _ in tick() }
      let won = try await withThrowingTaskGroup(of: (RunID, Bool).self) { group in
        for (index, start) in starts.enumerated() {
          let journal = journals[index % 2]
          group.addTask {
            (
              start.id,
              try await journal.setSchedule(
                "nightly", from: old, to: new, starting: [start], at: now)
            )
          }
        }
        var won: [RunID] = []
        for try await (id, isMade) in group where isMade { won.append(id) }
        return won
      }
      expect(won.count, equals: 1, .scheduleOnce, "how many of eight have won a tick")
      let ids = Set(starts.map(\.id))
      let made = try await journal.runs(RunQuery(limit: 1_000)).runs.map(\.id).filter(ids.contains)
      expect(made, equals: won, .scheduleOnce, "the runs of a tick")
      kept = new
    }
  }

  func tellsDueSchedules() async throws {
    let none = try await claim().schedules
    expect(none, equals: nil, .scheduleDue, "the due schedules of a new journal")
    let now = schedule("now", dueIn: 0)
    let before = schedule("before", dueIn: -3_600)
    let soon = schedule("soon", dueIn: 8)
    let later = schedule("later", dueIn: 60)
    for record in [now, later, schedule("never"), before, soon] {
      expect(try await set(nil, record), equals: true, .scheduleDue, "a first setting")
    }
    // Each journal needs its own worker name: two with one name are refused.
    let here = ClaimRequest(worker: "here", flows: [], lease: .seconds(60), limit: 0)
    let there = ClaimRequest(worker: "there", flows: [], lease: .seconds(60), limit: 0)
    for _ in 0..<2 {
      let told = [
        try await claim().schedules, try await journal.claim(here, at: time).schedules,
        try await (other ?? journal).claim(there, at: time).schedules,
      ]
      for told in told {
        expect(told?.due, equals: [before, now], .scheduleDue, "the due schedules")
        expect(told?.nextAt, equals: soon.dueAt, .scheduleDue, "when the next schedule is due")
        expect(told?.now, equals: time.date, .scheduleDue, "the time at which they are due")
      }
    }
    move(by: 7.875)
    let early = try await claim().schedules?.due
    expect(
      early, equals: [before, now], .scheduleDue, "the due schedules an eighth of a second before")
    move(by: 0.125)
    let told = try await claim().schedules
    expect(told?.due, equals: [before, now, soon], .scheduleDue, "the due schedules at the time")
    expect(told?.nextAt, equals: later.dueAt, .scheduleDue, "when the last schedule is due")
    for record in [before, now, soon] {
      var done = record
      done.dueAt = nil
      expect(try await set(record, done), equals: true, .scheduleDue, "a schedule that is done")
    }
    expect(try await claim().schedules?.due, equals: [], .scheduleDue, "the due ones after that")
    expect(try await set(later, nil), equals: true, .scheduleDue, "a removal")
    let last = try await claim().schedules
    expect(last, equals: nil, .scheduleDue, "the due schedules where none ever will be")
  }
}
