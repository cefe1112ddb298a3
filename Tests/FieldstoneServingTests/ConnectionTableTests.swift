import FieldstoneServing
import FieldstoneTesting
import Testing

@Suite("The connections of a server")
struct ConnectionTableTests {
  private func table(_ connections: Int = 2, reserve: Int = 2, streams: Int = 1) -> ConnectionTable
  {
    var limits = SiteLimits()
    limits.connections = connections
    limits.reserve = reserve
    limits.streams = streams
    return ConnectionTable(limits: limits)
  }

  private func expectEntry(
    _ table: inout ConnectionTable, _ expected: ConnectionTable.Entry,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let entry = table.enter()
    #expect(entry == expected, sourceLocation: location)
  }

  @Test("make room by the one that has been idle for longest")
  func idle() {
    var table = table()
    expectEntry(&table, .open(1))
    expectEntry(&table, .open(2))
    _ = table.work(1)
    table.rest(1)
    expectEntry(&table, .instead(3, of: 2))
    expectEntry(&table, .instead(4, of: 1))
    // It had begun to read when its place was taken.
    let isBusy = table.work(1)
    #expect(!isBusy)
    _ = (table.work(3), table.work(4))
    table.rest(1)
    expectEntry(&table, .short(5))
  }

  @Test("have a reserve for short requests while all are busy, and then none is left")
  func reserve() {
    var table = table()
    for _ in 0..<2 { _ = table.enter() }
    _ = (table.work(1), table.work(2))
    expectEntry(&table, .short(3))
    expectEntry(&table, .short(4))
    expectEntry(&table, .full)
    _ = table.work(3)
    let streams = table.stream(3)
    #expect(!streams)
    table.leave(4)
    expectEntry(&table, .short(6))
    table.leave(1)
    expectEntry(&table, .open(7))
  }

  @Test("stream up to a limit")
  func streams() {
    var table = table()
    for _ in 0..<2 { _ = table.enter() }
    _ = (table.work(1), table.work(2))
    let before = [table.stream(1), table.stream(2)]
    table.leave(1)
    let after = table.stream(2)
    #expect(before == [true, false] && after)
  }

  @Test("are never more than there may be, whatever comes and goes", arguments: [UInt64](1...20))
  func bounded(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = table(5, reserve: 3, streams: 2)
    var (open, streams): (Set<Int>, Set<Int>) = ([], [])
    for _ in 0..<500 {
      let some = open.randomElement(using: &random) ?? 0
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        switch table.enter() {
        case .open(let id), .short(let id): open.insert(id)
        case .instead(let id, let old):
          #expect(!streams.contains(old), "seed \(seed)")
          let old = open.remove(old)
          #expect(old != nil, "seed \(seed)")
          open.insert(id)
        case .full: #expect(open.count == 8, "seed \(seed)")
        }
      case 2:
        let isBusy = table.work(some)
        #expect(isBusy == open.contains(some), "seed \(seed)")
      case 3 where !streams.contains(some): table.rest(some)
      case 4 where open.contains(some):
        let isBusy = table.work(some)
        if isBusy, table.stream(some) { streams.insert(some) }
      default:
        table.leave(some)
        open.remove(some)
        streams.remove(some)
      }
      #expect(open.count <= 8 && streams.count <= 2, "seed \(seed)")
    }
  }
}
