import FieldstoneCore
import FieldstoneTesting
import Testing

@testable import FieldstoneFields

/// What a form does with its fields: the debounce is not public on a field of its own.
@Suite("Debounce of asynchronous rules")
@MainActor struct DebounceTests {
  let time = ManualTime()
  let asked = Recorder<Int>()

  /// The deadlines of the naps that have begun.
  let begun = Recorder<Duration>()

  var source: TimeSource {
    TimeSource(
      now: { [time] in time.now }, uptime: { [time] in time.uptime },
      sleepUntilUptime: { [time, begun] deadline in
        begun.record(deadline)
        try await time.source.sleep(untilUptime: deadline)
      }, sleepUntilDate: { [time] in try await time.source.sleep(until: $0) })
  }

  static func ask(_ field: Field<Int>) async {
    guard let pending = field.beginAsyncRules(isDebounced: true) else { return }
    await field.wait(for: pending)
  }

  func field(debounce: Duration = .milliseconds(300)) -> Field<Int> {
    let field = Field<Int>("Code", value: 1, time: source).require(
      .asynchronous(debounce: debounce) { [asked] value in
        asked.record(value)
        return value > 0
      })
    field.validateIfNeeded()
    return field
  }

  @Test("It is validating from the beginning of the debounce, and asks when that is over")
  func debounce() async {
    let field = field()
    let check = Task { await Self.ask(field) }
    await time.sleepers(atLeast: 1)
    #expect(field.validationState == .validating && asked.count == 0)
    time.advance(by: .milliseconds(299))
    #expect(time.sleeperCount == 1 && asked.count == 0)
    time.advance(by: .milliseconds(1))
    await check.value
    #expect(field.validationState == .valid && asked.elements == [1])
  }

  @Test("A change within the debounce asks nobody about the old value")
  func superseded() async {
    let field = field()
    let first = Task { await Self.ask(field) }
    await time.sleepers(atLeast: 1)
    field.value = 2
    await first.value
    #expect(field.validationState == .unknown)
    field.validateIfNeeded()
    let second = Task { await Self.ask(field) }
    await begun.elements(atLeast: 2)
    time.advance(by: .milliseconds(300))
    await second.value
    #expect(asked.elements == [2] && field.validationState == .valid)
  }

  @Test("Whoever does not wait for the debounce ends it for all, and the rule is asked once")
  func flush() async {
    let field = field()
    let slow = Task { await Self.ask(field) }
    await time.sleepers(atLeast: 1)
    #expect(await field.validateAll() == .valid)
    await slow.value
    #expect(asked.elements == [1])
    #expect(time.uptime == .zero)
  }

  @Test("Each rule has its own debounce, and none is none")
  func several() async {
    let field = field(debounce: .zero)
    let late = Recorder<Int>()
    field.require(
      .asynchronous(debounce: .seconds(1)) { value in
        late.record(value)
        return true
      })
    field.validateIfNeeded()
    let check = Task { await Self.ask(field) }
    await asked.elements(atLeast: 1)
    await time.sleepers(atLeast: 1)
    #expect(late.count == 0 && field.validationState == .validating)
    time.advance(by: .seconds(1))
    await check.value
    #expect(late.elements == [1] && field.validationState == .valid)
  }

  @Test("A task that is cancelled within the debounce gives the question up")
  func cancelled() async {
    let field = field()
    let check = Task { await Self.ask(field) }
    await time.sleepers(atLeast: 1)
    check.cancel()
    await check.value
    #expect(field.validationState == .unknown && asked.count == 0)
  }

  @Test("A synchronous failure within the debounce ends it")
  func failure() async {
    let limit = Field<Int>(value: 9)
    let field = field().require(.depending(on: limit) { $0 <= $1 ?? 0 })
    field.validateIfNeeded()
    let check = Task { await Self.ask(field) }
    await time.sleepers(atLeast: 1)
    limit.value = 0
    await check.value
    #expect(field.validationState.isInvalid && asked.count == 0)
  }
}
