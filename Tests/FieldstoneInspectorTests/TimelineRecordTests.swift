#if INSPECTOR
  import FieldstoneTesting
  import Foundation
  import Testing

  @testable import FieldstoneInspector

  @Suite("The record of the timeline, against an array")
  struct TimelineRecordTests {
    @Test("Random sequences of everything agree with the model", arguments: 0..<4)
    func sequences(batch: Int) {
      for number in 0..<Rounds.of(40) {
        let seed = UInt64(batch * 40 + number)
        var trial = RecordTrial(seed: seed)
        for _ in 0..<30 where trial.fault == nil { trial.step() }
        guard let fault = trial.fault else { continue }
        Issue.record("seed \(seed): \(fault)")
        return
      }
    }

    @Test(
      "At the edges of a chunk no entry is lost, counted twice or kept",
      arguments: [1, 2, 255, 256, 257, 511, 512, 513])
    func edges(limit: Int) {
      let record = TimelineRecord(limits: .init(count: limit))
      for number in 1...2 * limit + 257 {
        record.add(RecordTrial.entry("\(number)"))
        let snapshot = record.snapshot
        #expect(snapshot.entries.count == min(number, limit))
        #expect(snapshot.entries.last?.number == number)
        #expect(snapshot.entries.first?.number == max(number - limit, 0) + 1)
        #expect(snapshot.dropped == max(number - limit, 0))
      }
    }

    @Test("An event after a snapshot copies one chunk, and no other")
    func sharing() {
      var entries = ChunkedEntries<Int>()
      for number in 0..<10_000 { entries.append(number) }
      let snapshot = entries
      let before = snapshot.chunkAddresses
      entries.removeFirst()
      entries.append(10_000)
      entries[5_000] = 0
      let after = entries.chunkAddresses
      // The last one has a new entry, and one in the middle a changed one.
      #expect(zip(before, after).count { $0 != $1 } == 2)
      #expect(Array(snapshot) == Array(0..<10_000))
      #expect(entries[5_000] == 0 && entries.last == 10_000 && entries.first == 1)
    }

    @Test("Emptied chunks are released, also where entries are removed as they come")
    func emptied() {
      var entries = ChunkedEntries<Int>()
      for number in 0..<1_000 {
        entries.append(number)
        entries.removeFirst()
        #expect(entries.isEmpty && entries.chunkAddresses.isEmpty)
      }
      for number in 0..<300 { entries.append(number) }
      for number in 0..<300 {
        #expect(entries.first == number)
        entries.removeFirst()
      }
      #expect(entries.isEmpty && entries.chunkAddresses.isEmpty)
    }
  }

  /// A record beside a simple model of it.
  private struct RecordTrial {
    private let limits: TimelineRecord.Limits
    private let record: TimelineRecord
    private var random: SeededGenerator

    private var entries: [TimelineEntry] = []
    private var last = 0
    private var (dropped, missed, isPaused) = (0, 0, false)
    private var unread: [(number: Int, text: String)] = []
    /// Snapshots that pages hold, with the entries that they must keep.
    private var held: [(snapshot: TimelineRecord.Snapshot, entries: [TimelineEntry])] = []
    private(set) var fault: String?

    init(seed: UInt64) {
      random = SeededGenerator(seed: seed)
      limits = TimelineRecord.Limits(
        count: [1, 2, 255, 256, 257, 300, 511, 512, 513, 700].randomElement(using: &random) ?? 1,
        bytes: [1, 400, 20_000, 100_000, 1 << 20].randomElement(using: &random) ?? 1,
        unread: [1, 5, 200].randomElement(using: &random) ?? 1)
      record = TimelineRecord(limits: limits)
    }

    static func entry(_ text: String) -> TimelineEntry {
      TimelineEntry(
        time: .distantPast, kind: .call, source: "Users", identity: "Users #1", text: text)
    }

    mutating func step() {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: clear()
      case 1:
        isPaused.toggle()
        record.setPaused(isPaused)
      case 2: read()
      case 3: if !held.isEmpty { held.removeFirst() }
      default:
        let isLater = Int.random(in: 0..<4, using: &random) == 0
        for _ in 0..<Int.random(in: 1...300, using: &random) { add(isLater: isLater) }
      }
      check()
    }

    private mutating func add(isLater: Bool) {
      let text = String(repeating: "x", count: .random(in: 0...300, using: &random))
      var entry = Self.entry("event")
      if isLater {
        record.add(entry) { text }
        entry.detail = TimelineRecord.unreadDetail
      } else {
        entry.detail = text
        record.add(entry)
      }
      if isPaused {
        missed += 1
        return
      }
      last += 1
      entry.number = last
      entries.append(entry)
      makeRoom()
      guard isLater else { return }
      unread.append((last, text))
      if unread.count > 2 * limits.unread { unread.removeFirst(limits.unread) }
    }

    private mutating func read() {
      record.readDetails()
      for (number, text) in unread.suffix(limits.unread) {
        if let index = entries.firstIndex(where: { $0.number == number }) {
          entries[index].detail = text
        }
        makeRoom()
      }
      unread = []
    }

    private mutating func makeRoom() {
      while entries.count > limits.count
        || !entries.isEmpty && entries.reduce(0, { $0 + $1.cost }) > limits.bytes
      {
        entries.removeFirst()
        dropped += 1
      }
    }

    private mutating func clear() {
      record.clear()
      (entries, unread, dropped, missed) = ([], [], 0, 0)
    }

    private mutating func check() {
      let snapshot = record.snapshot
      if Array(snapshot.entries) != entries {
        fault = "\(snapshot.entries.count) entries, not \(entries.count), or others"
      } else if (snapshot.dropped, snapshot.missed) != (dropped, missed) {
        fault = "dropped \(snapshot.dropped), missed \(snapshot.missed), not \(dropped), \(missed)"
      } else if snapshot.isPaused != isPaused || record.hasEntries != (last > 0) {
        fault = "paused or used, and not so"
      } else if held.contains(where: { Array($0.snapshot.entries) != $0.entries }) {
        fault = "a snapshot has changed"
      }
      held.append((snapshot, entries))
      if held.count > 3 { held.removeFirst() }
    }
  }
#endif
