import FieldstoneCore
import FieldstoneTesting
import Foundation
import Testing

@Suite("The events of activities on their way to observers")
struct ActivityLineTests {
  struct Trouble: Error {}

  static func trace(_ activity: Int, of owner: AnyObject? = nil) -> ActivityTrace {
    ActivityTrace(
      activity: activity, kind: .call, name: "Search", owner: owner.map(ObjectIdentifier.init))
  }

  /// What a line delivers, with the numbers of the observers.
  static func drain(_ line: inout ObserverLine<ActivityEvent>) -> [String] {
    var told: [String] = []
    var last = 0
    while let number = line.claim(after: last) {
      while let (_, event, count) = line.next(for: number) {
        told.append("\(count) to \(number): \(event)")
      }
      last = number
    }
    return told
  }

  @Test("Each event goes to the observers that registered before it, numbered for each of them")
  func observers() {
    var line = ObserverLine<ActivityEvent>()
    let trace = Self.trace(1)
    line.append { trace.event(.waiting) }
    #expect(!line.isObserved && line.add { _, _ in } == 1)
    line.append { trace.event(.began) }
    #expect(line.add { _, _ in } == 2)
    line.append { trace.event(.retrying(attempt: 2, error: Trouble(), delay: .seconds(1))) }
    line.append { trace.event(.ended(.cancelled(.superseded))) }
    #expect(
      Self.drain(&line) == [
        "1 to 1: call 1 Search: began",
        "2 to 1: call 1 Search: attempt 2 in 1.0 seconds, after Trouble()",
        "3 to 1: call 1 Search: ended, cancelled(superseded)",
        "1 to 2: call 1 Search: attempt 2 in 1.0 seconds, after Trouble()",
        "2 to 2: call 1 Search: ended, cancelled(superseded)",
      ])
    #expect(line.claim(after: 0) == nil)
  }

  @Test("One thread delivers to an observer, and others to the others meanwhile")
  func claims() {
    var line = ObserverLine<ActivityEvent>()
    let trace = Self.trace(1)
    let (first, second) = (line.add { _, _ in }, line.add { _, _ in })
    line.append { trace.event(.began) }
    let mine = line.claim(after: 0)
    let theirs = line.claim(after: 0)
    let nobodys = line.claim(after: 0)
    #expect(mine == first && theirs == second && nobodys == nil)
    let told = line.next(for: first)?.number
    line.append { trace.event(.ended(.success(()))) }
    #expect(told == 1 && line.claim(after: 0) == nil)
    let toldNext = line.next(for: first)?.number
    let end = line.next(for: first)
    #expect(toldNext == 2 && end == nil)
    // Given back: the next event is claimed anew, and one that has gone gets none.
    line.append { Self.trace(2).event(.began) }
    #expect(line.claim(after: 0) == first)
    let isRemoved = line.remove(first) != nil
    let gone = line.next(for: first)
    #expect(isRemoved && gone == nil && line.remove(first) == nil)
  }

  @Test("Whatever comes after the end of an activity is dropped, and takes no number")
  func late() {
    var line = ObserverLine<ActivityEvent>()
    _ = line.add { _, _ in }
    let (first, second) = (Self.trace(1), Self.trace(2))
    line.append { first.event(.ended(.success(()))) }
    line.append { first.event(.began) }
    line.append { first.event(.ended(.failure(Trouble()))) }
    line.append { second.event(.began) }
    #expect(
      Self.drain(&line) == [
        "1 to 1: call 1 Search: ended, success", "2 to 1: call 2 Search: began",
      ])
  }

  @Test("A slow observer loses its newest events, its numbers tell, and no other loses any")
  func limit() {
    var line = ObserverLine<ActivityEvent>(limit: 2)
    let slow = line.add { _, _ in }
    let picky = line.add { _, _ in
    } where: {
      $0.activity == 2
    }
    let (busy, rare) = (Self.trace(1), Self.trace(2))
    for _ in 1...5 { line.append { busy.event(.began) } }
    line.append { rare.event(.began) }
    #expect(line.claim(after: 0) == slow && line.claim(after: 0) == picky)
    var numbers: [Int] = []
    while let next = line.next(for: slow) { numbers.append(next.number) }
    line.append { busy.event(.began) }
    #expect(line.claim(after: 0) == slow)
    while let next = line.next(for: slow) { numbers.append(next.number) }
    #expect(numbers == [1, 2, 7])
    let kept = line.next(for: picky)
    let end = line.next(for: picky)
    #expect(kept?.number == 1 && kept?.event.activity == 2 && end == nil)
  }

  @Test("An observer that is stuck delays no other observer", .timeLimit(.minutes(20)))
  func stuck() async {
    let events = EventObservers<Int>()
    let (enters, leaves) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let heard = Recorder<Int>()
    let stuck = events.observe { event, _ in
      guard event == 1 else { return }
      enters.signal()
      leaves.wait()
    }
    Thread.detachNewThread { events.send(1) }
    enters.wait()
    let free = events.observe { event, _ in heard.record(event) }
    events.send(2)
    events.send(3)
    #expect(heard.elements == [2, 3])
    leaves.signal()
    withExtendedLifetime((stuck, free)) {}
  }

  @Test("Observers may send events and end registrations; each hears all in order")
  func reentrance() {
    let events = EventObservers<Int>()
    let heard = Recorder<String>()
    let kept = Locked<Registration?>(nil)
    let first = events.observe { event, _ in
      heard.record("first \(event)")
      guard event == 2 else { return }
      events.send(3)
      kept.withLock { $0 }?.cancel()
    }
    let second = events.observe(where: { $0 == 3 }) { heard.record("second \($0) \($1)") }
    let third = events.observe(where: { $0 == 4 }) { heard.record("third \($0) \($1)") }
    let fourth = events.observe { heard.record("fourth \($0) \($1)") }
    kept.withLock { $0 = events.observe { event, _ in heard.record("fifth \(event)") } }
    events.send(2)
    // The first observer delivers the inner event to those that no one is calling; it hears of it
    // itself when it has returned.
    #expect(
      heard.removeAll() == [
        "first 2", "second 3 1", "fourth 2 1", "fourth 3 2", "fifth 2", "fifth 3", "first 3",
      ])
    events.send(4)
    #expect(heard.elements == ["first 4", "third 4 1", "fourth 4 3"])
    _ = (first, second, third, fourth)
  }

  // The next tests share the observers of the process with all others: another thread may deliver,
  // so each waits for what it shall hear. Their numbers are those of activities still to come.

  @MainActor
  @Test("The handle of a call notes its transitions, and nothing after its end")
  func handle() async {
    let heard = Recorder<ActivityEvent>()
    let owner = NSObject()
    let registration = ActivityEvent.observe(of: owner) { heard.record($0) }
    var call = CallHandle<Int>()
    call.follow(Self.trace(.max, of: owner))
    call.start(waiting: true)
    call.start(waiting: false)
    let begins = call.proceed()
    let begun = call.proceed()
    let ends = call.end(with: .success(7))
    let ended = call.end(with: .cancelled(.caller))
    #expect(begins && !begun && ends && !ended)
    ActivityTrace.deliver()
    let changes = await heard.elements(atLeast: 3).map { "\($0.change)".prefix(5) }
    #expect(changes == ["waiti", "began", "ended"])
    registration.cancel()
  }

  @Test("An observer hears of the kinds, the name and the owner that it asked for, in order")
  func meant() async {
    let (all, search) = (Recorder<Int>(), Recorder<[Int]>())
    let others = Recorder<ActivityEvent>()
    let (owner, stranger) = (NSObject(), NSObject())
    let (outer, inner) = (Self.trace(.max - 1, of: owner), Self.trace(.max - 2, of: owner))
    let registrations = [
      ActivityEvent.observe(of: owner) { event in
        all.record(event.activity)
        if event.activity == .max - 1 { inner.tell(.began) }
      },
      ActivityEvent.observe([.call], named: "Search", of: owner) {
        search.record([$0.activity, $0.number])
      },
      ActivityEvent.observe([.fileSave], of: owner) { others.record($0) },
      ActivityEvent.observe(named: "Find", of: owner) { others.record($0) },
      ActivityEvent.observe(of: stranger) { others.record($0) },
    ]
    outer.tell(.began)
    let (heard, found) = await (all.elements(atLeast: 2), search.elements(atLeast: 2))
    #expect(heard == [.max - 1, .max - 2])
    #expect(found == [[.max - 1, 1], [.max - 2, 2]] && others.elements.isEmpty)
    for registration in registrations { registration.cancel() }
    withExtendedLifetime(stranger) {}
  }
}
