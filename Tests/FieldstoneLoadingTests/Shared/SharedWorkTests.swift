import Dispatch
import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("Work that several wait for")
struct SharedWorkTests {
  private let source = ManualProvider<Int, String>()

  private func work() -> SharedWork<String> {
    SharedWork { [source] events in try await source.load(1, reporting: events) }
  }

  @Test("It is done once, and all get its result")
  func once() async throws {
    let work = work()
    let members = (0..<3).compactMap { _ in work.join(LoadEvents()) }
    let load = await source.load(at: 0)
    load.succeed("value")
    for member in members { #expect(try await member.value == "value") }
    #expect(source.loadCount == 1)
    #expect(work.isOver)
    #expect(work.join(LoadEvents()) == nil)
  }

  @Test("Its error is everybody's")
  func failure() async throws {
    let work = work()
    let members = (0..<2).compactMap { _ in work.join(LoadEvents()) }
    await source.load(at: 0).fail(Failure.broken)
    for member in members {
      await #expect(throws: Failure.broken) { try await member.value }
    }
  }

  @Test("A cancelled member returns at once, and the others don't notice", arguments: [0, 1])
  func cancelledMember(leaving: Int) async throws {
    let work = work()
    let tasks = (0..<2).compactMap { _ in work.join(LoadEvents()) }
      .map { member in Task { try await member.value } }
    let load = await source.load(at: 0)
    tasks[leaving].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[leaving].value }
    #expect(!load.isCancelled)
    load.succeed("value")
    #expect(try await tasks[1 - leaving].value == "value")
  }

  @Test("The last one to leave stops the work, and nobody can join it any more")
  func lastOne() async throws {
    let work = work()
    let members = (0..<2).compactMap { _ in work.join(LoadEvents()) }
    let load = await source.load(at: 0)
    members[0].leave()
    #expect(!load.isCancelled)
    members[0].leave()
    #expect(!load.isCancelled)
    members[1].leave(.superseded)
    await load.cancelled()
    #expect(work.join(LoadEvents()) == nil)
    await #expect(throws: CallCancelled(.superseded)) { try await members[1].value }
    load.succeed("late")
  }

  @Test("Who leaves before the work began stops it, too")
  func leftAtOnce() async throws {
    let work = work()
    let member = try #require(work.join(LoadEvents()))
    member.leave()
    await source.load(at: 0).cancelled()
    #expect(work.isOver)
  }

  @Test("Every member hears the reports in order, and who comes late hears the last ones")
  func reports() async throws {
    let work = work()
    let first = Recorder<String>()
    let second = Recorder<String>()
    let one = try #require(work.join(.recording(first)))
    let load = await source.load(at: 0)
    load.events.progress(.fraction(0.1))
    load.events.early("a")
    load.events.progress(.fraction(0.2))
    load.events.early("b")
    let two = try #require(work.join(.recording(second)))
    load.events.progress(.fraction(0.3))
    load.succeed("c")
    #expect(try await one.value == "c")
    #expect(try await two.value == "c")
    #expect(first.elements == ["0.1", "a", "0.2", "b", "0.3"])
    #expect(second.elements == ["b", "0.2", "0.3"])
  }

  @Test("Who has left hears nothing, and nobody hears what comes after the end")
  func late() async throws {
    let work = work()
    let heard = Recorder<String>()
    let leaving = try #require(work.join(.recording(heard)))
    let staying = try #require(work.join(.recording(heard)))
    let load = await source.load(at: 0)
    leaving.leave()
    load.events.early("one")
    load.succeed("value")
    _ = try await staying.value
    load.events.early("late")
    #expect(heard.elements == ["one"])
  }

  @Test("Who leaves while a report is delivered does not hear the next one, and the others do")
  func leavingDuringReport() async throws {
    let work = work()
    // A member holds its closures, so they must not hold it for good.
    let leaving = Locked<SharedWork<String>.Member?>(nil)
    let staying = Recorder<SharedWork<String>.Member>()
    let (heard, heardByOther) = (Recorder<String>(), Recorder<String>())
    let loads = Recorder<ManualProvider<Int, String>.Load>()
    let first = try #require(
      work.join(
        LoadEvents(onEarlyValue: { value in
          heard.record(value)
          // The next report is queued for this member before it leaves.
          if let other = work.join(.recording(heardByOther)) { staying.record(other) }
          loads.elements.first?.events.early("b")
          leaving.withLock { $0.take() }?.leave()
        })))
    leaving.withLock { $0 = first }
    let load = await source.load(at: 0)
    loads.record(load)
    load.events.early("a")
    _ = await heardByOther.elements(atLeast: 2)
    load.succeed("value")
    #expect(try await staying.elements(atLeast: 1)[0].value == "value")
    #expect(heardByOther.elements == ["a", "b"])
    #expect(heard.elements == ["a"])
  }

  @Test("Work that is left before it began does not begin")
  func leftBefore() async throws {
    let store = CacheStore<Int, String>(
      freshFor: .seconds(1), staleFor: .zero, limit: .count(1), time: ManualTime().source)
    let entrance = store.enter(1, events: LoadEvents()) { [source] events in
      try await source.load(1, reporting: events)
    }
    guard case .shared(let place) = entrance else {
      Issue.record("there is nothing to be fresh")
      return
    }
    place.member.leave()
    place.begin()
    await #expect(throws: CallCancelled(.caller)) { try await place.member.value }
    store.letGo(of: 1)
    #expect(store.flightCount == 0)
    #expect(source.loadCount == 0)
  }

  @Test("A closure that blocks holds up its own caller only, not the work and not the others")
  func blockedClosure() async throws {
    let work = work()
    let heard = Recorder<String>()
    let other = try #require(work.join(.recording(heard)))
    let load = await source.load(at: 0)
    load.events.early("a")
    let (hasBegun, mayGoOn) = (Gate(), DispatchSemaphore(value: 0))
    let (slow, slowHeard) = (Recorder<SharedWork<String>.Member>(), Recorder<String>())
    DispatchQueue.global().async {
      let member = work.join(
        LoadEvents(onEarlyValue: { value in
          hasBegun.open()
          mayGoOn.wait()
          slowHeard.record(value)
        }))
      if let member { slow.record(member) }
    }
    await hasBegun.wait()
    load.events.early("b")
    load.succeed("value")
    #expect(try await other.value == "value")
    #expect(heard.elements == ["a", "b"])
    #expect(slowHeard.elements == [])
    mayGoOn.signal()
    mayGoOn.signal()
    #expect(try await slow.elements(atLeast: 1)[0].value == "value")
    #expect(slowHeard.elements == ["a", "b"])
  }

  @Test("A closure of the only member that blocks holds up neither the work nor who joins")
  func blockedAlone() async throws {
    let work = work()
    let (hasBegun, mayGoOn) = (Gate(), DispatchSemaphore(value: 0))
    let slowHeard = Recorder<String>()
    let slow = try #require(
      work.join(
        LoadEvents(onEarlyValue: { value in
          hasBegun.open()
          mayGoOn.wait()
          slowHeard.record(value)
        })))
    let load = await source.load(at: 0)
    load.events.early("a")
    await hasBegun.wait()
    let heard = Recorder<String>()
    let other = try #require(work.join(.recording(heard)))
    load.events.early("b")
    #expect(await heard.elements(atLeast: 2) == ["a", "b"])
    load.succeed("value")
    #expect(try await other.value == "value")
    #expect(slowHeard.elements == [])
    mayGoOn.signal()
    mayGoOn.signal()
    #expect(try await slow.value == "value")
    #expect(slowHeard.elements == ["a", "b"])
  }

  @Test("100,000 members leave in any order, and the last one stops the work")
  func manyLeave() async throws {
    let work = work()
    var random = SeededGenerator(seed: 1)
    var members = (0..<100_000).compactMap { _ in work.join(LoadEvents()) }
    let load = await source.load(at: 0)
    members.shuffle(using: &random)
    for member in members.dropLast(2) {
      member.leave()
      member.leave()
    }
    let heard = Recorder<String>()
    let late = try #require(work.join(.recording(heard)))
    load.events.early("a")
    #expect(await heard.elements(atLeast: 1) == ["a"])
    late.leave()
    for member in members.suffix(2) {
      #expect(!load.isCancelled && !work.isOver)
      member.leave()
    }
    await load.cancelled()
    #expect(work.isOver)
  }

  @Test("A report from within a report comes after it, for everybody")
  func reentrant() async throws {
    let work = work()
    let heard = Recorder<String>()
    let load = Recorder<ManualProvider<Int, String>.Load>()
    let first = try #require(
      work.join(
        LoadEvents(onEarlyValue: { value in
          heard.record("first \(value)")
          if value == "a" { load.elements[0].events.early("b") }
        })))
    let second = try #require(work.join(LoadEvents(onEarlyValue: { heard.record("second \($0)") })))
    load.record(await source.load(at: 0))
    load.elements[0].events.early("a")
    // With several members, tasks deliver; a report after the end would be dropped.
    _ = await heard.elements(atLeast: 4)
    load.elements[0].succeed("value")
    _ = try await (first.value, second.value)
    #expect(heard.elements.filter { $0.hasPrefix("first") } == ["first a", "first b"])
    #expect(heard.elements.filter { $0.hasPrefix("second") } == ["second a", "second b"])
  }
}
