import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var slots: [Self] {
    [
      Self(.slots) { try await $0.keepsSlots() },
      Self(.slots) { try await $0.refusesForeignSlots() },
    ]
  }
}

extension JournalExamination {
  private func start(slot: UInt16, key: String? = nil) -> RunStart {
    RunStart(id: newID(slot: slot), flow: "flow", version: 1, key: key, payload: json(0))
  }

  func keepsSlots() async throws {
    expect(try await journal.slots(), equals: nil, .slots, "the slots of a new journal")
    let first = JournalSlots(group: "set", ranges: [100...200, 5...9, 10...20, 300...300])
    let second = JournalSlots(group: "set", ranges: [5...20], flowsOnOneShard: ["b", "a"])
    expect(try await journal.setSlots(from: nil, to: first), .slots, "a first record was refused.")
    expect(try await journal.slots(), equals: first, .slots, "the slots")
    if let other {
      expect(try await other.slots(), equals: first, .slots, "the slots of the other one")
    }
    for wrong in [nil, second] {
      let answer = try await journal.setSlots(from: wrong, to: second)
      expect(answer, equals: false, .slots, "the answer to a change of \(wrong as Any)")
    }
    expect(try await journal.slots(), equals: first, .slots, "the slots after that")
    _ = try await journal.start(start(slot: 100), at: time)
    try await expectRefusal(.slots, .foreignSlot, "giving up a slot with a run") {
      _ = try await self.journal.setSlots(from: first, to: second)
    }
    expect(try await journal.slots(), equals: first, .slots, "the slots after a refusal")
    let third = JournalSlots(group: "set", ranges: [100...100], flowsOnOneShard: ["b", "a"])
    expect(try await journal.setSlots(from: first, to: third), .slots, "a change was refused.")
    expect(try await journal.slots(), equals: third, .slots, "the slots after a change")
  }

  func refusesForeignSlots() async throws {
    let record = JournalSlots(group: "set", ranges: [0...9, 0x1234...0x1236, 65_535...65_535])
    _ = try await journal.setSlots(from: nil, to: record)
    var owned: [RunID] = []
    for slot: UInt16 in [0, 9, 0x1234, 0x1235, 0x1236, 65_535] {
      owned.append(try await journal.start(start(slot: slot), at: time).id)
    }
    for slot: UInt16 in [10, 0x1233, 0x1237, 32_768, 65_534] {
      let foreign = start(slot: slot, key: "\(slot)")
      try await expectRefusal(.slots, .foreignSlot, of: foreign.id, "a start of slot \(slot)") {
        _ = try await self.journal.start(foreign, at: self.time)
      }
    }
    let mixed = [start(slot: 1, key: "a"), start(slot: 77, key: "b"), start(slot: 2, key: "c")]
    let answers = await journal.start(mixed, at: time)
    for (start, answer) in zip(mixed, answers) {
      let isOwned = record.contains(start.id.slot)
      switch answer {
      case .success: expect(isOwned, .slots, "a foreign start among others was taken.")
      case .failure(let error):
        let isRefusal = error as? JournalError == .foreignSlot
        expect(!isOwned && isRefusal, .slots, "a start among others threw \(error).")
      }
      expect(
        try await journal.run(start.id) != nil, equals: isOwned, .slots,
        "whether a start among others is there")
    }
    let run = try await claim(limit: 1).runs.first?.record
    guard let run else { throw Missing(detail: "no run was given.") }
    let foreign = start(slot: 100)
    var next = Checkpoint(
      claim: run.claim, version: 1, next: .stage(json(1)), beganAt: time.date, lease: .seconds(60),
      starts: [start(slot: 3), foreign])
    let starting = next
    try await expectRefusal(.slots, .foreignSlot, of: run.id, "a checkpoint with a foreign start") {
      _ = try await self.journal.checkpoint(starting, at: self.time)
    }
    next.starts = []
    next.next = .joining(json(1), .init([ChildStart(start(slot: 4)), ChildStart(foreign)]))
    let joining = next
    try await expectRefusal(.slots, .foreignSlot, of: run.id, "a checkpoint with a foreign child") {
      _ = try await self.journal.checkpoint(joining, at: self.time)
    }
    let count = try await journal.runs(RunQuery(limit: 100)).runs.count
    expect(count, equals: owned.count + 2, .slots, "the runs after refused checkpoints")
    let schedule = ScheduleRecord(name: "nightly", definition: json(1), progress: json(1))
    try await expectRefusal(.slots, .foreignSlot, of: foreign.id, "a schedule's foreign start") {
      _ = try await self.journal.setSchedule(
        "nightly", from: nil, to: schedule, starting: [self.start(slot: 5), foreign], at: self.time)
    }
    expect(try await journal.schedules(), equals: [], .slots, "the schedules after a refusal")
  }
}
