import Fieldstone
import FieldstoneTesting
import Synchronization
import Testing

@testable import AirfieldApp

@MainActor
@Suite("What follows a status", .timeLimit(.minutes(10)))
struct StatusFollowerTests {
  @Test("drops what an early look has come to after a later one", arguments: [false, true])
  func late(_ isEarlyGood: Bool) async throws {
    let gate = Gate()
    let looks = Mutex(0)
    let follower = StatusFollower(
      blind: "Blind: ", changes: { AsyncStream { _ in } }, reach: { Faults() }
    ) {
      let number = looks.withLock {
        $0 += 1
        return $0
      }
      if number == 1 { await gate.wait() }
      guard isEarlyGood == (number == 1) else { throw MessageError("out of order") }
      return number
    }
    var shown: [Int] = []
    follower.show = { shown.append($0) }
    let early = Task { await follower.look() }
    await gate.arrivals(atLeast: 1)
    await follower.look()
    gate.open()
    await early.value
    #expect(follower.isBlind == isEarlyGood)
    #expect(shown == (isEarlyGood ? [] : [2]))
  }
}
