import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("The schedules of several journals as one", .timeLimit(.minutes(20)))
struct ShardedScheduleTests {
  @Test("A schedule lives where its runs do, and is there once")
  func schedules() async throws {
    let shards = Shards(2)
    let journal = try await shards.open()
    func record(_ name: String, key: String?, dueAt date: Date? = nil) throws -> ScheduleRecord {
      let schedule = FlowSchedule(
        name: name, flow: "flow", version: 1, stage: "1",
        timing: .every(.seconds(60), from: shards.time.now),
        options: ScheduleOptions(concurrencyKey: key))
      return try ScheduleStatus(schedule: schedule, progress: ScheduleProgress()).record(
        dueAt: date)
    }
    func set(
      _ old: ScheduleRecord?, _ new: ScheduleRecord?, _ starts: [RunStart] = []
    ) async throws -> Bool {
      try await journal.setSchedule(
        new?.name ?? old?.name ?? "", from: old, to: new, starting: starts, at: shards.now)
    }
    var records: [ScheduleRecord] = []
    for index in 0..<2 {
      let key = shards.key(in: index)
      let date = shards.time.now + Double(index) - 10
      let record = try record("schedule \(1 - index)", key: key, dueAt: date)
      let start = shards.start(in: index, concurrencyKey: key)
      #expect(try await set(nil, record, [start]) == true)
      #expect(try await shards.memories[index].schedules() == [record])
      #expect(try await shards.memories[index].run(start.id) != nil)
      #expect(try await set(nil, record) == false)
      records.append(record)
      let far = shards.start(in: 1 - index)
      await #expect(throws: JournalError.otherShard(far.id)) {
        _ = try await set(record, record, [far])
      }
    }
    #expect(try await journal.schedules() == records.reversed())
    let due = try await journal.claim(shards.request(), at: shards.now).schedules?.due
    #expect(due == records)
    let moved = try record(records[0].name, key: shards.key(in: 1))
    await #expect(throws: ShardingError.scheduleElsewhere(moved.name)) {
      _ = try await set(records[0], moved)
    }
    #expect(try await set(nil, moved) == false)
    #expect(try await set(records[0], nil) == true)
    #expect(try await set(nil, moved) == true)
    // One that nobody can read stays where it is.
    let unread = ScheduleRecord(name: "odd", definition: Data("1".utf8), progress: Data("1".utf8))
    #expect(try await set(nil, unread) == true)
    var next = unread
    next.progress = Data("2".utf8)
    #expect(try await set(unread, next) == true)
    #expect(try await set(unread, nil) == false)
    #expect(try await set(next, nil) == true)
  }

  @Test("A schedule that is on another shard is brought to its own by a change, and starts once")
  func strays() async throws {
    let shards = Shards(2)
    let journal = try await shards.open()
    let key = shards.key(in: 1)
    let schedule = FlowSchedule(
      name: "stray", flow: "flow", version: 1, stage: "1",
      timing: .every(.seconds(60), from: shards.time.now),
      options: ScheduleOptions(concurrencyKey: key))
    var status = ScheduleStatus(schedule: schedule, progress: ScheduleProgress())
    let old = try status.record(dueAt: shards.time.now)
    status.progress.nextTick = shards.time.now + 60
    let new = try status.record(dueAt: shards.time.now + 60)
    func set(_ record: ScheduleRecord?, _ starts: [RunStart] = []) async throws -> Bool {
      try await journal.setSchedule(
        "stray", from: old, to: record, starting: starts, at: shards.now)
    }
    func stray() async throws {
      let isThere = try await shards.memories[0].setSchedule(
        "stray", from: nil, to: old, starting: [], at: shards.now)
      #expect(isThere)
    }
    try await stray()
    let first = shards.start(in: 1, concurrencyKey: key)
    #expect(try await set(new, [first]) == true)
    #expect(try await shards.memories[0].schedules() == [])
    #expect(try await shards.memories[1].schedules() == [new])
    #expect(try await shards.memories[1].run(first.id) != nil)
    // What an interrupted change has left behind starts nothing, and goes.
    try await stray()
    let second = shards.start(in: 1, concurrencyKey: key)
    #expect(try await set(new, [second]) == false)
    #expect(try await journal.schedules() == [new])
    #expect(try await journal.run(second.id) == nil)
    // A race that is lost on a shard does not fail with another one.
    shards.set(0, isDown: true)
    #expect(try await set(new, [second]) == false)
    shards.set(0, isDown: false)
    _ = try await journal.setSchedule("stray", from: new, to: nil, starting: [], at: shards.now)
    try await stray()
    #expect(try await set(nil) == true)
    #expect(try await journal.schedules() == [])
  }

  @Test("A due schedule whose own shard is down holds up no schedule after it")
  func homeless() async throws {
    let shards = Shards(2)
    let journal = try await shards.open()
    func record(_ name: String, in shard: Int, after seconds: Double) throws -> ScheduleRecord {
      let schedule = FlowSchedule(
        name: name, flow: "flow", version: 1, stage: "1",
        timing: .every(.seconds(60), from: shards.time.now),
        options: ScheduleOptions(concurrencyKey: shards.key(in: shard)))
      return try ScheduleStatus(schedule: schedule, progress: ScheduleProgress()).record(
        dueAt: shards.time.now + seconds - 10)
    }
    let stray = try record("stray", in: 1, after: 0)
    let other = try record("other", in: 0, after: 1)
    for record in [stray, other] {
      let isSet = try await shards.memories[0].setSchedule(
        record.name, from: nil, to: record, starting: [], at: shards.now)
      #expect(isSet)
    }
    func due() async throws -> [ScheduleRecord]? {
      try await journal.claim(shards.request(), at: shards.now).schedules?.due
    }
    #expect(try await due() == [stray, other])
    shards.set(1, isDown: true)
    _ = try await due()
    #expect(journal.unavailableShards == [1])
    #expect(try await due() == [other])
    shards.set(1, isDown: false)
    shards.time.advance(by: .seconds(60))
    #expect(try await due() == [stray, other])
  }

  @Test("A schedule that is removed does not come back from a copy on another shard")
  func copies() async throws {
    let shards = Shards(2)
    let journal = try await shards.open()
    let schedule = FlowSchedule(
      name: "twice", flow: "flow", version: 1, stage: "1",
      timing: .every(.seconds(60), from: shards.time.now),
      options: ScheduleOptions(concurrencyKey: shards.key(in: 0)))
    var status = ScheduleStatus(schedule: schedule, progress: ScheduleProgress())
    let copy = try status.record(dueAt: shards.time.now)
    status.progress.nextTick = shards.time.now + 60
    let record = try status.record(dueAt: shards.time.now + 60)
    func prepare() async throws {
      for (shard, record) in [record, copy].enumerated() {
        _ = try await shards.memories[shard].setSchedule(
          "twice", from: nil, to: record, starting: [], at: shards.now)
      }
    }
    try await prepare()
    #expect(try await journal.removeSchedule("twice", by: nil, at: shards.now))
    #expect(try await journal.schedules() == [])
    // A shard that is down keeps no other from removing it.
    try await prepare()
    shards.set(1, isDown: true)
    #expect(try await journal.removeSchedule("twice", by: nil, at: shards.now))
    #expect(try await shards.memories[0].schedules() == [])
    // Nobody knows then whether it is still there, or is new.
    await #expect(throws: JournalError.unavailable("shard 1 is down")) {
      _ = try await journal.removeSchedule("twice", by: nil, at: shards.now)
    }
    await #expect(throws: JournalError.unavailable("shard 1 is down")) {
      _ = try await journal.setSchedule(
        "twice", from: nil, to: record, starting: [], at: shards.now)
    }
  }
}
