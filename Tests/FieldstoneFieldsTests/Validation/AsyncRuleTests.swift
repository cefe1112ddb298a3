import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Testing

@Suite("Asynchronous rules")
@MainActor struct AsyncRuleTests {
  struct Broken: DescribedError { let message = "the server is away" }

  /// A directory that answers when the test lets it.
  final class Directory: Sendable {
    let asked = Recorder<String>()
    let ended = Recorder<String>()
    let gate = Gate()
    let isCooperative: Bool

    init(isCooperative: Bool = true) { self.isCooperative = isCooperative }

    func isFree(_ code: String) async throws -> Bool {
      asked.record(code)
      defer { ended.record(code) }
      if isCooperative { try await gate.waitUnlessCancelled() } else { await gate.wait() }
      return code != "LOWW"
    }
  }

  let directory = Directory()

  func field(_ directory: Directory, value: String = "EPWA") -> Field<String> {
    let field = Field<String>("Code").require(.length(4)).require(
      .asynchronous("is taken", code: "taken") { try await directory.isFree($0) })
    field.value = value
    return field
  }

  @Test("A field with asynchronous rules is unknown until they were asked")
  func unknown() async {
    let field = field(directory)
    #expect(field.validate() == .unknown)
    #expect(!field.isValid && field.validationState == .unknown)
    directory.gate.open()
    #expect(await field.validateAll() == .valid)
    #expect(field.isValid && field.validationState == .valid)
    #expect(field.validate() == .valid)
    field.value = "EPWA"
    #expect(field.validationState == .valid)
    field.value = "LOWS"
    #expect(field.validationState == .unknown)
  }

  @Test("What it finds has its code, its words and its source; own words follow the language")
  func issue() async {
    directory.gate.open()
    let field = field(directory, value: "LOWW")
    let issues = await field.validateAll().issues
    #expect(issues.map(\.code) == ["taken"] && issues.map(\.english) == ["is taken"])
    #expect(issues.map(\.source) == [.rule])
    var messages = FieldMessages.german
    messages.phrases["is taken"] = "ist vergeben"
    #expect(issues.map(messages.text(for:)) == ["ist vergeben"])
    let plain = Field<Int>(value: 1).require(.asynchronous { _ in false })
    #expect(await plain.validateAll().issues.map(\.english) == ["is not valid"])
  }

  @Test("Of any number of items, eight are asked about at a time, and all are answered in order")
  func manyItems() async {
    let count = 1_000
    let busy = Locked((now: 0, most: 0))
    let asked = Recorder<Int>()
    let gate = Gate()
    let codes = ArrayField(
      Field<Int>("Code").require(
        .asynchronous("is taken", code: "taken") { code in
          busy.withLock { busy in
            busy.now += 1
            busy.most = max(busy.most, busy.now)
          }
          asked.record(code)
          await gate.wait()
          busy.withLock { $0.now -= 1 }
          return code != 700
        }), value: Array(0..<count))
    let task = Task { await codes.validateAll() }
    _ = await asked.elements(atLeast: 8)
    #expect(asked.count == 8)
    gate.open()
    #expect(await task.value.isInvalid && asked.count == count)
    #expect(busy.withLock { $0.most } == 8)
    #expect(codes.issues.map(\.path) == [["700"]])
  }

  @Test("Nil is not asked about")
  func nilValue() async {
    let field = field(directory)
    field.value = nil
    #expect(await field.validateAll() == .valid)
    #expect(directory.asked.count == 0)
  }

  @Test("A synchronous failure keeps it from being asked")
  func synchronousFailure() async {
    let field = field(directory, value: "LOW")
    #expect(await field.validateAll().issues.map(\.code) == ["wrongLength"])
    #expect(directory.asked.count == 0)
  }

  @Test("A warning does not keep it from being asked, and both are told")
  func warning() async {
    directory.gate.open()
    let field = field(directory, value: "LOWW").require(.oneOf("EPWA"), severity: .warning)
    #expect(await field.validateAll().issues.map(\.code) == ["notAllowed", "taken"])
    field.value = "LOWS"
    #expect(await field.validateAll() == .valid && field.issues.map(\.code) == ["notAllowed"])
  }

  @Test("A new value cancels the question, and a late answer is dropped", arguments: [true, false])
  func superseded(isCooperative: Bool) async {
    let directory = Directory(isCooperative: isCooperative)
    let field = field(directory, value: "LOWW")
    let first = Task { await field.validateAll() }
    await directory.asked.elements(atLeast: 1)
    #expect(field.validationState == .validating)
    field.value = "EPWA"
    #expect(field.validationState == .unknown)
    // It returns though the rule, if it does not cooperate, has not.
    #expect(await first.value == .unknown)
    let second = Task { await field.validateAll() }
    await directory.asked.elements(atLeast: 2)
    directory.gate.open()
    #expect(await second.value == .valid)
    await directory.ended.elements(atLeast: 2)
    #expect(field.validationState == .valid && field.issues.isEmpty)
    #expect(directory.asked.elements == ["LOWW", "EPWA"])
  }

  @Test("An equal set leaves the question under way")
  func equalSet() async {
    let field = field(directory)
    let validation = Task { await field.validateAll() }
    await directory.asked.elements(atLeast: 1)
    field.value = "EPWA"
    #expect(field.validationState == .validating)
    directory.gate.open()
    #expect(await validation.value == .valid)
    #expect(directory.asked.count == 1)
  }

  @Test("Two validations share one question")
  func joined() async {
    let field = field(directory)
    let one = Task { await field.validateAll() }
    await directory.asked.elements(atLeast: 1)
    let begun = Gate()
    let two = Task {
      begun.open()
      return await field.validateAll()
    }
    await begun.wait()
    directory.gate.open()
    #expect(await one.value == .valid)
    #expect(await two.value == .valid)
    #expect(directory.asked.count == 1)
  }

  @Test("One of two that is cancelled returns, and the question goes on for the other")
  func oneCancelled() async {
    let field = field(directory)
    let one = Task { await field.validateAll() }
    await directory.asked.elements(atLeast: 1)
    let two = Task { await field.validateAll() }
    one.cancel()
    #expect(await one.value == .validating)
    #expect(field.validationState == .validating)
    directory.gate.open()
    #expect(await two.value == .valid)
    #expect(directory.asked.count == 1)
  }

  @Test(
    "The question is given up when the last one who waits is cancelled", arguments: [true, false])
  func cancelled(isCooperative: Bool) async {
    let directory = Directory(isCooperative: isCooperative)
    let field = field(directory)
    var heard: [ValidationState] = []
    let registration = field.observeValidation { heard.append($0) }
    let validation = Task { await field.validateAll() }
    await directory.asked.elements(atLeast: 1)
    validation.cancel()
    #expect(await validation.value == .unknown)
    #expect(field.validationState == .unknown)
    if isCooperative { await directory.ended.elements(atLeast: 1) }
    directory.gate.open()
    #expect(await field.validateAll() == .valid)
    #expect(directory.asked.count == 2)
    #expect(heard == [.validating, .unknown, .validating, .valid])
    withExtendedLifetime(registration) {}
  }

  @Test("A task that was cancelled before asks nobody for an answer")
  func cancelledBefore() async {
    let field = field(directory)
    let start = Gate()
    let validation = Task {
      await start.wait()
      return await field.validateAll()
    }
    validation.cancel()
    start.open()
    #expect(await validation.value == .unknown)
  }

  @Test("A rule that throws could not be validated, also with a cancellation that nobody asked for")
  func throwing() async {
    let broken = Field<Int>(value: 1).require(.asynchronous { _ in throw Broken() })
    let issues = await broken.validateAll().issues
    #expect(issues.map(\.code) == ["couldNotValidate"])
    #expect(issues.map(\.english) == ["could not be validated"])
    #expect(issues.first?.parameters["reason"] == "the server is away")
    let own = Field<Int>(value: 1).require(
      .asynchronous { _ in throw FieldIssue(code: "odd", source: .server) })
    #expect(await own.validateAll().issues == [FieldIssue(code: "odd", source: .rule)])
    let strange = Field<Int>(value: 1).require(.asynchronous { _ in throw CancellationError() })
    #expect(await strange.validateAll().issues.map(\.code) == ["couldNotValidate"])
    // It is asked again by the next validation.
    #expect(await broken.validateAll().isInvalid)
  }

  @Test("A synchronous failure cancels a question, and its late success erases nothing")
  func failureMeanwhile() async {
    let directory = Directory(isCooperative: false)
    let limit = Field<Int>(value: 4)
    let field = field(directory).require(
      .depending(on: limit, code: "limit") { $0.count <= $1 ?? .max })
    var heard: [String] = []
    let registration = field.observeValidation {
      heard.append(ValidationObservationTests.name($0))
    }
    let validation = Task { await field.validateAll() }
    await directory.asked.elements(atLeast: 1)
    limit.value = 3
    #expect(field.validationState.issues.map(\.code) == ["limit"])
    #expect(await validation.value.issues.map(\.code) == ["limit"])
    directory.gate.open()
    await directory.ended.elements(atLeast: 1)
    #expect(field.validationState.issues.map(\.code) == ["limit"])
    // What was not answered is asked again.
    limit.value = 4
    #expect(field.validationState == .unknown)
    #expect(await field.validateAll() == .valid)
    #expect(heard == ["validating", "limit", "unknown", "validating", "valid"])
    withExtendedLifetime(registration) {}
  }

  @Test(
    "A change of another field that leaves the rules holding leaves the question, and the answer")
  func dependencyMeanwhile() async {
    let limit = Field<Int>(value: 4)
    let field = field(directory).require(.depending(on: limit) { $0.count <= $1 ?? .max })
    let validation = Task { await field.validateAll() }
    await directory.asked.elements(atLeast: 1)
    limit.value = 5
    #expect(field.validationState == .validating)
    directory.gate.open()
    #expect(await validation.value == .valid)
    limit.value = 6
    #expect(field.validationState == .valid && directory.asked.count == 1)
  }

  @Test("All rules are asked at once, and told in their order")
  func several() async {
    let (gate, arrivals) = (Gate(), Recorder<Int>())
    let field = Field<Int>(value: 1)
    for number in 0..<3 {
      field.require(
        AsyncFieldRule { _ in
          arrivals.record(number)
          if number < 2 { await gate.wait() }
          return number == 1 ? [] : [FieldIssue(code: "\(number)")]
        })
    }
    let validation = Task { await field.validateAll() }
    await arrivals.elements(atLeast: 3)
    gate.open()
    #expect(await validation.value.issues.map(\.code) == ["0", "2"])
  }

  @Test("A rule that says itself what it finds may warn")
  func findings() async {
    let field = Field<Int>(value: 1).require(
      AsyncFieldRule { _ in [FieldIssue(code: "odd", severity: .warning, source: .server)] })
    #expect(await field.validateAll() == .valid)
    #expect(field.issues == [FieldIssue(code: "odd", severity: .warning, source: .rule)])
    field.value = 2
    #expect(field.issues.isEmpty)
  }

  @Test("Validating again asks again")
  func again() async {
    directory.gate.open()
    let field = field(directory)
    for count in 1...3 {
      #expect(await field.validateAll() == .valid)
      #expect(directory.asked.count == count)
    }
  }

  @Test("Validating does not wait for the debounce")
  func noDebounce() async {
    let time = ManualTime()
    directory.gate.open()
    let field = Field<String>("Code", value: "EPWA", time: time.source).require(
      .asynchronous(debounce: .seconds(60)) { [directory] in try await directory.isFree($0) })
    #expect(await field.validateAll() == .valid)
    #expect(time.sleeperCount == 0)
    #expect(AsyncFieldRule<Int>.asynchronous { _ in true }.debounce == .milliseconds(300))
    #expect(AsyncFieldRule<Int>(debounce: .zero) { _ in [] }.debounce == .zero)
  }

  @Test("A field lives as long as it is asked about, and no longer")
  func lifetime() async {
    directory.gate.open()
    weak var gone: Field<String>?
    do {
      let field = field(directory)
      gone = field
      _ = await field.validateAll()
    }
    #expect(gone == nil)
  }
}
