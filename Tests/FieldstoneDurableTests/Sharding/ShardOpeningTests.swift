import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("The opening of several journals as one", .timeLimit(.minutes(20)))
struct ShardOpeningTests {
  private func ranges(_ shards: Shards) async throws -> [[ClosedRange<UInt16>]] {
    var ranges: [[ClosedRange<UInt16>]] = []
    for memory in shards.memories { ranges.append(try await memory.slots()?.ranges ?? []) }
    return ranges
  }

  @Test("Empty journals get the same number of slots each, and keep them in any order")
  func divides() async throws {
    let shards = Shards(3)
    _ = try await shards.open()
    let first = try await ranges(shards)
    #expect(first == [[0...21_844], [21_845...43_689], [43_690...65_535]])
    let again = try await ShardedJournal(shards.journals.reversed())
    #expect(try await ranges(shards) == first)
    let start = shards.start(in: 0)
    _ = try await again.start(start, at: shards.now)
    #expect(try await shards.memories[0].run(start.id) != nil)
  }

  @Test("An opening that is interrupted is completed by the next")
  func interrupted() async throws {
    for done in 1...2 {
      let shards = Shards(3)
      let count = Locked(0)
      let journals = shards.memories.map { memory in
        JournalProxy(journal: memory) { call in
          guard call == .setSlots else { return }
          let number = count.withLock { count in
            count += 1
            return count
          }
          if number > done { throw JournalError.unavailable("cut") }
        }
      }
      await #expect(throws: JournalError.self) { _ = try await ShardedJournal(journals) }
      _ = try await shards.open()
      let ranges = try await ranges(shards).flatMap(\.self)
      #expect(JournalSlots.united(ranges) == JournalSlots.all)
      #expect(ranges.reduce(0) { $0 + $1.count } == 65_536)
    }
  }

  @Test(
    "A journal that was used keeps all slots, and those that join it get its pauses and limits",
    arguments: [true, false])
  func joins(hasRuns: Bool) async throws {
    let shards = Shards(2)
    let used = shards.memories[1]
    if hasRuns { _ = try await used.start(shards.start(in: 0), at: shards.now) }
    try await used.pause(.flow("paused"), until: nil, at: shards.now)
    try await used.setLimits(
      FlowLimits(runs: 5, perKey: .init(2), rate: .init(4, each: .seconds(60))), of: "flow",
      replacing: true, at: shards.now)
    let journal = try await shards.open()
    #expect(try await ranges(shards) == [[], JournalSlots.all])
    #expect(try await shards.memories[0].pauses() == [JournalPause(.flow("paused"))])
    let limits = try await journal.flowLimits()["flow"]
    #expect(limits == FlowLimits(runs: 5, perKey: .init(2), rate: .init(4, each: .seconds(60))))
    let parts = try await [
      shards.memories[0].flowLimits()["flow"]?.runs, used.flowLimits()["flow"]?.runs,
    ]
    #expect(parts == [3, 2])
    _ = try await shards.open()
    #expect(try await journal.flowLimits()["flow"] == limits)
    let kept = try await journal.setLimits(limits, of: "flow", replacing: false, at: shards.now)
    #expect(kept == limits)
  }

  @Test("Limits are split once, wherever an opening is interrupted, and by many at a time")
  func splitsOnce() async throws {
    let limits = FlowLimits(runs: 11, rate: .init(8, each: .seconds(60)))
    func used() async throws -> Shards {
      let shards = Shards(3)
      _ = try await shards.memories[0].start(shards.start(in: 0), at: shards.now)
      try await shards.memories[0].setLimits(limits, of: "flow", replacing: true, at: shards.now)
      return shards
    }
    func check(_ shards: Shards, _ comment: Comment) async throws {
      var shares: [[String: FlowLimits]] = []
      for memory in shards.memories { shares.append(try await memory.flowLimits()) }
      #expect(shares.map { $0["flow"]?.runs } == [4, 4, 3], comment)
      #expect(shares.map { $0["flow"]?.rate?.count } == [3, 3, 2], comment)
      #expect(shares.allSatisfy { $0.count == 1 }, comment)
    }
    var done = 0
    var isWhole = false
    while !isWhole {
      let shards = try await used()
      let count = Locked(done)
      let journals = shards.memories.map { memory in
        JournalProxy(journal: memory) { call in
          guard call == .setLimits else { return }
          let left = count.withLock { count in
            count -= 1
            return count
          }
          if left < 0 { throw JournalError.unavailable("cut") }
        }
      }
      do {
        _ = try await ShardedJournal(journals)
        isWhole = true
      } catch is JournalError {
        // It may be interrupted more than once.
        await #expect(throws: JournalError.self) { _ = try await ShardedJournal(journals) }
      }
      _ = try await shards.open()
      try await check(shards, "interrupted after \(done)")
      done += 1
    }
    #expect(done > 3)
    for round in 0..<20 {
      let shards = try await used()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 { group.addTask { _ = try await shards.open() } }
        try await group.waitForAll()
      }
      try await check(shards, "round \(round)")
    }
  }

  @Test("Journals that do not fit together are refused")
  func refusals() async throws {
    await #expect(throws: ShardingError.noShards) { _ = try await ShardedJournal([]) }
    await #expect(throws: ShardingError.limitsDiffer) {
      _ = try await ShardedJournal([
        InMemoryJournal(), InMemoryJournal(limits: PayloadLimits(key: 7)),
      ])
    }
    await #expect(throws: ShardingError.clocksDiffer) {
      _ = try await ShardedJournal([InMemoryJournal(), JournalMutant(clock: .server)])
    }
    let used = Shards(2)
    for memory in used.memories { _ = try await memory.start(used.start(in: 0), at: used.now) }
    await #expect(throws: ShardingError.severalHaveRuns([0, 1])) { _ = try await used.open() }
    let paused = Shards(2)
    for memory in paused.memories {
      try await memory.pause(.flow("flow"), until: nil, at: paused.now)
    }
    await #expect(throws: ShardingError.severalHaveRuns([0, 1])) { _ = try await paused.open() }
    let (one, two) = (Shards(2), Shards(2))
    _ = try await one.open()
    _ = try await two.open()
    await #expect(throws: ShardingError.self) {
      _ = try await ShardedJournal([one.memories[0], two.memories[1]])
    }
    // One of them twice, or not at all.
    await #expect(
      throws: ShardingError.slotsDoNotFit(missing: "32768-65535", shared: "0-32767")
    ) { _ = try await ShardedJournal([one.memories[0], one.memories[0]]) }
    await #expect(throws: ShardingError.slotsDoNotFit(missing: "32768-65535", shared: "none")) {
      _ = try await ShardedJournal([one.memories[0]])
    }
    await #expect(throws: JournalError.noSlots) {
      var none = JournalMutant()
      none.onSetSlots = { _, _, _ in throw JournalError.noSlots }
      _ = try await ShardedJournal([none])
    }
    one.set(1, isDown: true)
    await #expect(throws: JournalError.self) { _ = try await one.open() }
  }

  @Test(
    "All processes have the same flows on one shard; only one without runs comes or goes")
  func flows() async throws {
    let shards = Shards(2)
    _ = try await shards.open(flowsOnOneShard: ["a"])
    let journal = try await shards.open(flowsOnOneShard: ["a", "b"])
    let slot = try #require(journal.slotOfRun(in: "b", key: "any"))
    var start = shards.start(in: 0, flow: "b")
    start.id = shards.newID(slot: slot)
    _ = try await journal.start(start, at: shards.now)
    await #expect(throws: ShardingError.flowsDiffer("b")) { _ = try await shards.open() }
    await #expect(throws: ShardingError.flowsDiffer("b")) {
      _ = try await shards.open(flowsOnOneShard: ["a"])
    }
    _ = try await shards.open(flowsOnOneShard: ["b"])
  }

  @Test("A flow is added if all its runs have its slot, or that of their parent")
  func addedFlow() async throws {
    let shards = Shards(2)
    let journal = try await shards.open(flowsOnOneShard: ["a", "b"])
    var start = shards.start(in: 0, flow: "b")
    start.id = shards.newID(slot: try #require(journal.slotOfRun(in: "b", key: nil)))
    _ = try await journal.start(start, at: shards.now)
    // As an opening of another process that had read “b” without runs has left them.
    for memory in shards.memories {
      let record = try #require(try await memory.slots())
      var old = record
      old.flowsOnOneShard = ["a"]
      #expect(try await memory.setSlots(from: record, to: old))
    }
    _ = try await shards.open(flowsOnOneShard: ["a", "b"])
    #expect(try await shards.memories[0].slots()?.flowsOnOneShard == ["a", "b"])
    _ = try await journal.start(shards.start(in: 0, flow: "c"), at: shards.now)
    await #expect(throws: ShardingError.flowsDiffer("c")) {
      _ = try await shards.open(flowsOnOneShard: ["a", "b", "c"])
    }
  }

  @Test("Processes that open them at the same time come to the same slots")
  func concurrently() async throws {
    let shards = Shards(4)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { _ = try await shards.open() } }
      try await group.waitForAll()
    }
    _ = try await shards.open()
  }
}
