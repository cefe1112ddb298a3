import Fieldstone
import FieldstoneTesting
import Foundation
import Testing

/// The events of an owner or of a name, as texts; other tests of this process run meanwhile.
private final class Heard: Sendable {
  let events = Recorder<ActivityEvent>()
  let registration: Registration

  /// One observer for all owners: what two observers hear has no common order.
  init(of owners: AnyObject...) {
    let owners = Set(owners.map { ObjectIdentifier($0) })
    registration = ActivityEvent.observe { [events] event in
      if event.owner.map(owners.contains) == true { events.record(event) }
    }
  }

  init(named name: String) {
    registration = ActivityEvent.observe([.stageExecution], named: name) { [events] in
      events.record($0)
    }
  }

  /// The first `count` events as texts: the kind, the activity's number from 1 on, the change.
  func texts(_ count: Int) async -> [String] {
    let events = await events.elements(atLeast: count)
    let activities = events.map(\.activity).reduce(into: [Int]()) { known, activity in
      if !known.contains(activity) { known.append(activity) }
    }
    return events.map { event in
      let number = (activities.firstIndex(of: event.activity) ?? 0) + 1
      let text = "\(event)".split(separator: ": ", maxSplits: 1).last ?? ""
      return "\(event.kind) \(number) \(event.name): \(text)"
    }
  }
}

@Suite("Observers of activities", .timeLimit(.minutes(20)))
struct ActivitySurface {
  struct Trouble: Error {}

  struct Search: DataProvider {
    let gate: Gate
    func load(_ word: String, reporting events: LoadEvents<String>) async throws -> String {
      if word == "wrong" { throw Trouble() }
      await gate.wait()
      return word
    }
  }

  @MainActor
  @Test("Calls are heard of from the wait to the end, each by itself")
  func calls() async {
    let gate = Gate()
    let integrator = Integrator(provider: Search(gate: gate), policy: .queue(limit: 2))
    let heard = Heard(of: integrator)
    let first = integrator.call("a").start()
    let second = integrator.call("b").start()
    let third = integrator.call("c").start()
    second.cancel()
    let fourth = integrator.call("d").start()
    gate.open()
    for call in [first, second, third, fourth] { _ = await call.outcome }
    _ = third
    let texts = await heard.texts(9)
    #expect(
      texts.filter { $0.contains("call 1 ") } == [
        "call 1 Search: began", "call 1 Search: ended, success",
      ])
    #expect(
      texts.filter { $0.contains("call 2 ") } == [
        "call 2 Search: waiting", "call 2 Search: ended, cancelled(caller)",
      ])
    #expect(
      texts.filter { $0.contains("call 4 ") } == [
        "call 4 Search: waiting", "call 4 Search: began", "call 4 Search: ended, success",
      ])
  }

  @MainActor
  @Test("A call that is turned away has its end only, and attempts are told")
  func attempts() async {
    let gate = Gate()
    let time = ManualTime()
    let integrator = Integrator(
      provider: Search(gate: gate), policy: .only(.reject), time: time.source)
    integrator.retry = RetryPolicy(
      maximumAttempts: 2, baseDelay: .seconds(1), backoff: .fixed, shouldRetry: { _ in true })
    let heard = Heard(of: integrator)
    let call = integrator.call("wrong").start()
    let refused = integrator.call("wrong").start()
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(1))
    #expect(await call.outcome.error is Trouble)
    #expect(await refused.outcome.cancellation == .busy)
    #expect(
      await heard.texts(4) == [
        "call 1 Search: began", "call 2 Search: ended, cancelled(busy)",
        "call 1 Search: attempt 2 in 1.0 seconds, after Trouble()",
        "call 1 Search: ended, failure(Trouble())",
      ])
  }

  @MainActor
  @Test("An observer hears nothing of a call that began before it, though another one does")
  func begunBefore() async {
    let gate = Gate()
    let integrator = Integrator(provider: Search(gate: gate))
    let first = Heard(of: integrator)
    let early = integrator.call("a").start()
    let second = Heard(of: integrator)
    gate.open()
    _ = await early.outcome
    _ = await integrator.call("b").start().outcome
    let texts = [1, 2].map { number in
      ["call \(number) Search: began", "call \(number) Search: ended, success"]
    }
    #expect(await first.texts(4) == texts[0] + texts[1])
    #expect(await second.texts(2) == texts[0])
  }

  struct Row: Identifiable, Sendable { let id: Int }
  struct Rows: DataProvider {
    func load(
      _ request: PageRequest<Int>, reporting events: LoadEvents<ItemPage<Row, Int>>
    ) async throws -> ItemPage<Row, Int> {
      ItemPage([Row(id: 1)], next: nil)
    }
  }

  @MainActor
  @Test("Page loads are heard of")
  func pages() async {
    let list = PaginatedList(provider: Rows())
    let heard = Heard(of: list)
    let call = list.loadMore()
    list.reload(.firstPage)
    _ = await call.outcome
    let texts = await heard.texts(4)
    #expect(
      texts == [
        "pageLoad 1 Rows: began", "pageLoad 2 Rows: began",
        "pageLoad 1 Rows: ended, cancelled(superseded)", "pageLoad 2 Rows: ended, success",
      ])
  }

  final class Sum: StatefulOperation<Int>, @unchecked Sendable {
    override func run() throws -> Int { 7 }
  }

  @Test("Operations are heard of from their start on")
  func operations() async {
    let (done, cancelled, early) = (Sum(), Sum(), Sum())
    let heard = Heard(of: done, cancelled, early)
    early.cancel()
    early.start()
    done.start()
    cancelled.onStart(on: .anywhere) { cancelled.cancel() }.start()
    #expect(
      await heard.texts(4) == [
        "operation 1 Sum: began", "operation 1 Sum: ended, success",
        "operation 2 Sum: began", "operation 2 Sum: ended, cancelled(caller)",
      ])
  }

  enum Bisection: SynchronousStage {
    case left(Int)
    func next() throws -> Step<Self, Int> {
      switch self {
      case .left(let number) where number < 0: throw Trouble()
      case .left(let number) where number > 1: .advance(to: .left(number / 2))
      case .left(let number): .complete(number)
      }
    }
  }

  enum HeldAtGate: Stage {
    case at(Gate)
    func next() async throws -> Step<Self, Int> {
      switch self {
      case .at(let gate):
        try await gate.waitUnlessCancelled()
        return .complete(1)
      }
    }
  }

  @Test("Stage executions are heard of: awaited, called back, in a line")
  func stages() async throws {
    let heard = (bisections: Heard(named: "Bisection"), held: Heard(named: "HeldAtGate"))
    _ = try await Bisection.left(9).execute()
    _ = try? await Bisection.left(-1).execute()
    let execution = Bisection.left(9).execute { _ in }
    _ = await execution.outcome
    let (gate, line) = (Gate(), ProductionLine<HeldAtGate>(maxConcurrent: 1))
    let first = line.add(.at(gate))
    await gate.arrivals(atLeast: 1)
    let second = line.add(.at(gate))
    second.cancel()
    gate.open()
    _ = await first.outcome
    #expect(
      await heard.bisections.texts(6) == [
        "stageExecution 1 Bisection: began", "stageExecution 1 Bisection: ended, success",
        "stageExecution 2 Bisection: began",
        "stageExecution 2 Bisection: ended, failure(Trouble())",
        "stageExecution 3 Bisection: began", "stageExecution 3 Bisection: ended, success",
      ])
    #expect(
      await heard.held.texts(5) == [
        "stageExecution 1 HeldAtGate: waiting", "stageExecution 1 HeldAtGate: began",
        "stageExecution 2 HeldAtGate: waiting",
        "stageExecution 2 HeldAtGate: ended, cancelled(caller)",
        "stageExecution 1 HeldAtGate: ended, success",
      ])
  }

  @MainActor
  @Test("Submits of forms are heard of, those that are busy too")
  func forms() async {
    let name = Field<String>("Name").require(.notBlank)
    let form = FormModel { FormSection("Airport") { name } }
    let heard = Heard(of: form)
    _ = await form.submit {}
    name.value = "Tempelhof"
    _ = await form.submit { _ = await form.submit {} }
    let texts = await heard.texts(6)
    #expect(texts.first == "formSubmit 1 Airport: began")
    #expect(texts.dropFirst().first?.hasPrefix("formSubmit 1 Airport: ended, failure(") == true)
    #expect(
      texts.dropFirst(2) == [
        "formSubmit 2 Airport: began", "formSubmit 3 Airport: began",
        "formSubmit 3 Airport: ended, cancelled(busy)", "formSubmit 2 Airport: ended, success",
      ])
  }

  @Test("Saves of files are heard of, each of those that share a write")
  func files() async throws {
    let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = FileStore<Int>(at: folder.appending(path: "count.json"))
    let heard = Heard(of: store)
    try await store.save(1)
    try await store.update(default: 0) { $0 += 1 }
    store.saveLater(3)
    try await store.flush()
    let steps = [": waiting", ": began", ": ended, success"]
    let texts = await heard.texts(9)
    #expect(
      texts == (1...3).flatMap { number in steps.map { "fileSave \(number) count.json\($0)" } })
  }

  @Test("An observer that has gone hears nothing more")
  func registration() async throws {
    enum ObservedOnce: SynchronousStage {
      case only
      func next() -> Step<Self, Int> { .complete(1) }
    }
    let (gone, kept) = (Heard(named: "ObservedOnce"), Heard(named: "ObservedOnce"))
    gone.registration.cancel()
    _ = try await ObservedOnce.only.execute()
    #expect(await kept.texts(2).count == 2)
    #expect(gone.events.count == 0)
  }
}
