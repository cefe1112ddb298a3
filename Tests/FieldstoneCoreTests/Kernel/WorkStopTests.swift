import FieldstoneCore
import FieldstoneTesting
import Testing

@Suite("How work under way is stopped")
struct WorkStopTests {
  struct Dropped: Error {}

  let heard = Recorder<String>()

  @Test("What is kept is stopped once, in the order of keeping, after the one who tells")
  func stopping() {
    let work = WorkStop()
    work.keep { heard.record("a") }
    work.keep { heard.record("b") }
    #expect(work.stop { heard.record("told") } == .underWay)
    #expect(work.stop { heard.record("told again") } == .stopped)
    #expect(heard.elements == ["told", "a", "b"])
    #expect(work.end() == .stopped && work.phase == .ended)
    work.keep { heard.record("after the end") }
    #expect(work.stop() == .ended && heard.elements == ["told", "a", "b"])
  }

  @Test("What is kept after the stop is stopped at once")
  func late() async {
    let work = WorkStop()
    work.stop()
    work.keep { heard.record("late") }
    #expect(heard.elements == ["late"])
    let task = Task<Void, Never> { await heard.elements(atLeast: 10) }
    work.keep(task)
    #expect(task.isCancelled)
    await task.value
  }

  @Test("Work that has ended is not stopped, and what it kept is released")
  func ended() {
    let work = WorkStop()
    var kept: Gate? = Gate()
    let isKept = { [weak kept] in kept != nil }
    work.keep { [kept] in kept?.open() }
    kept = nil
    #expect(isKept())
    #expect(work.end() == .underWay)
    #expect(!isKept())
    #expect(work.stop { heard.record("told") } == .ended)
    work.keep { heard.record("kept") }
    #expect(heard.elements == [] && work.phase == .ended)
  }

  @Test("Of a stop and an end on two threads one counts, 2,000 times")
  func race() async {
    for _ in 0..<2_000 {
      let work = WorkStop()
      let stops = Recorder<Void>()
      work.keep { stops.record(()) }
      async let stopped = Task { @concurrent in work.stop() }.value
      async let ended = Task { @concurrent in work.end() }.value
      let (stop, end) = await (stopped, ended)
      #expect((stop == .underWay) != (end == .underWay))
      #expect(stops.count == (stop == .underWay ? 1 : 0))
    }
  }

  @Test("The first answer counts; others are counted, and one after a cancellation is late")
  func answers() {
    let work = WorkStop()
    let answer = CallbackAnswer<Int>(to: work, dropped: { Dropped() }) {
      heard.record("\($0.value ?? 0)")
    }
    #expect(answer.end(with: .success(1)) == .taken)
    #expect(answer.end(with: .success(2)) == .repeated(1))
    #expect(answer.end(with: .success(3)) == .repeated(2))
    #expect(answer.ignoredCount == 2 && heard.elements == ["1"])

    let stopped = WorkStop()
    let late = CallbackAnswer<Int>(to: stopped, dropped: { Dropped() }) { _ in heard.record("late")
    }
    stopped.stop()
    #expect(late.end(with: .success(4)) == .late)
    #expect(late.ignoredCount == 0 && heard.elements == ["1"])
  }

  @Test("An answer that is dropped is an error, unless the work is over", arguments: [true, false])
  func dropped(isOver: Bool) {
    let work = WorkStop()
    var answer: CallbackAnswer<Int>? = CallbackAnswer(to: work, dropped: { Dropped() }) {
      if case .failure(let error) = $0, error is Dropped { heard.record("dropped") }
    }
    withExtendedLifetime(answer) {}
    if isOver { work.stop() }
    answer = nil
    #expect(heard.elements == (isOver ? [] : ["dropped"]))
  }
}
