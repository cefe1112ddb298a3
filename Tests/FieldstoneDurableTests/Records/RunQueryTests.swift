import FieldstoneDurable
import Foundation
import Testing

@Suite("Queries of runs as values")
struct RunQueryTests {
  private let id = RunID(at: Date(timeIntervalSince1970: 1_795_000_000))

  @Test("A place is read back as it was written")
  func places() {
    for date in [nil, Date(timeIntervalSinceReferenceDate: 816_692_800.123_456)] {
      let place = RunPlace(id, stoppedAt: date)
      #expect(RunPlace(place.description) == place)
    }
    for text in ["", "@", "\(id)@", "\(id)@nan", "\(id)@inf", "\(id)@1@2", "x@1"] {
      #expect(RunPlace(text) == nil, "\(text)")
    }
  }

  @Test("What is waited for is read back as it was written")
  func waits() {
    let waits = RunWait.allWithoutName + [.signal("go"), .signal(""), .signal("a:b")]
    for wait in waits { #expect(RunWait(wait.description) == wait) }
    #expect(RunWait("nothing") == nil && RunWait("") == nil)
  }

  @Test("Flows and names of attributes are compared by bytes, as in a database")
  func bytes() {
    let now = Date(timeIntervalSince1970: 1_795_000_000)
    var record = RunRecord(
      id: id, flow: "caf\u{e9}", version: 1, payload: Data(), startedAt: now, changedAt: now)
    record.attributes = ["gr\u{f6}ße": .integer(1)]
    for (flow, name, isFound) in [
      ("caf\u{e9}", "gr\u{f6}ße", true), ("cafe\u{301}", "gr\u{f6}ße", false),
      ("caf\u{e9}", "gro\u{308}ße", false),
    ] {
      var query = RunQuery(flow: flow)
      query.attributes = [name: .integer(1)]
      #expect(query.wants(record) == isFound, "\(flow), \(name)")
    }
  }

  @Test("A progress of any number is stored as a fraction")
  func progress() {
    let now = Date(timeIntervalSince1970: 1_795_000_000)
    var progress = RunProgress(0.5, sequence: 0, reportedAt: now)
    for (fraction, billionths) in [(Double.nan, 0), (-1, 0), (1e300, 1_000_000_000)] {
      progress.fraction = fraction
      #expect(progress.billionths == billionths)
    }
  }

  @Test("A count has a comma for each thousand, and a plus where there are more")
  func counts() {
    let counts = [RunCount(0), RunCount(999), RunCount(1_000), RunCount(10_000, hasMore: true)]
    #expect(counts.map(\.description) == ["0", "999", "1,000", "10,000+"])
  }

  @Test("The identifiers of a time have ten minutes of slack on either side")
  func identifiers() throws {
    var query = RunQuery()
    #expect(query.identifiers == nil)
    let date = Date(timeIntervalSince1970: 1_795_000_000)
    query.since = date
    query.until = date
    let range = try #require(query.identifiers)
    for (seconds, isIn) in [(-601.0, false), (-600, true), (0, true), (600, true), (601, false)] {
      #expect(range.contains(RunID(at: date + seconds)) == isIn)
    }
    query.since = .distantFuture
    query.until = .distantPast
    #expect(query.identifiers != nil)
  }

  @Test(
    "The keys with a beginning end where the next text does",
    arguments: [
      ("a", "b"), ("ab", "ac"), ("\u{D7FF}", "\u{E000}"), ("a\u{10FFFF}", "b"),
      ("\u{10FFFF}", nil), ("", nil), ("e\u{301}", "e\u{302}"),
    ] as [(String, String?)])
  func prefixes(prefix: String, end: String?) {
    var query = RunQuery()
    query.keyPrefix = prefix
    let found = query.keys?.end.map { Array($0.utf8) }
    #expect(found == end.map { Array($0.utf8) })
  }

  @Test("The place before is the place without a time")
  func before() {
    var query = RunQuery(before: id)
    #expect(query.after == RunPlace(id) && query.before == id)
    query.before = nil
    #expect(query.after == nil)
    var page = RunPage(runs: [], next: id)
    #expect(page.nextPlace == RunPlace(id) && page.next == id)
    page.next = nil
    #expect(page.nextPlace == nil)
  }

  @Test("A query for what can't be finds nothing")
  func nothing() {
    var query = RunQuery(states: [.running])
    #expect(!query.findsNothing)
    query.waiting = .time
    #expect(query.findsNothing && query.counted == nil)
    query = RunQuery(before: id)
    query.order = .lastStoppedFirst
    #expect(query.findsNothing)
    #expect(query.counted?.states == [.completed, .dead, .blocked, .cancelled])
  }
}
