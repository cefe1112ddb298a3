import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Observation
import Testing

@Suite("Observation of validity")
@MainActor struct ValidationObservationTests {
  let field = Field<Int>("Age", value: 1).require(.atLeast(1))

  nonisolated static func name(_ state: ValidationState) -> String {
    switch state {
    case .unknown: "unknown"
    case .validating: "validating"
    case .valid: "valid"
    case .invalid(let issues): issues.map(\.code).joined(separator: "+")
    }
  }

  @Test("Every transition is heard once, in order, and none on registration")
  func transitions() {
    var heard: [String] = []
    let registration = field.observeValidation { heard.append(Self.name($0)) }
    #expect(heard == [])
    field.validate()
    field.validate()
    field.value = 1
    field.value = 0
    field.value = -1
    field.validate()
    field.validate()
    field.addIssue(FieldIssue(code: "odd"))
    field.validate()
    field.value = 2
    field.validate()
    #expect(
      heard == ["valid", "unknown", "tooSmall", "tooSmall+odd", "tooSmall", "unknown", "valid"])
    registration.cancel()
    field.value = 0
    #expect(heard.count == 7)
  }

  @Test("A validation that drops an added issue is one transition")
  func dropped() {
    let registration0 = field.observeValidation { _ in }
    field.addIssue(FieldIssue(code: "odd"))
    var heard: [String] = []
    let registration = field.observeValidation { heard.append(Self.name($0)) }
    field.validate()
    #expect(heard == ["valid"])
    withExtendedLifetime([registration0, registration]) {}
  }

  @Test("An equal set tells what it drops, outside a batch at once and otherwise at its end")
  func equalSet() {
    var heard: [String] = []
    let values = field.observe(everySet: true) { heard.append("\($0.new ?? 0)") }
    let registration = field.observeValidation { [unowned field] state in
      heard.append(Self.name(state))
      if state == .valid, field.value == 1 { field.value = 2 }
    }
    field.validate()
    #expect(heard == ["1", "valid", "2", "unknown"])
    field.addIssue(FieldIssue(code: "odd"))
    heard = []
    field.value = 2
    #expect(heard == ["unknown", "2"])
    field.addIssue(FieldIssue(code: "odd"))
    heard = []
    Fields.batch {
      field.value = 2
      #expect(heard == [])
    }
    #expect(heard == ["unknown", "2"])
    withExtendedLifetime([values, registration]) {}
  }

  @Test("Observers hear transitions in the order in which they happen, also nested ones")
  func nested() {
    var heard: [String] = []
    let first = field.observeValidation { [unowned field] state in
      heard.append("1 \(Self.name(state))")
      if state == .valid { field.value = 0 }
      if state == .unknown { field.validate() }
    }
    let second = field.observeValidation { heard.append("2 \(Self.name($0))") }
    field.validate()
    #expect(
      heard == [
        "1 valid", "2 valid", "1 unknown", "2 unknown", "1 tooSmall", "2 tooSmall",
      ])
    withExtendedLifetime([first, second]) {}
  }

  @Test("A closure that ends itself is not called again, and one that comes does not hear the past")
  func comingAndGoing() {
    var heard: [String] = []
    var inner: Registration?
    let outer = field.observeValidation { [unowned field] _ in
      if inner == nil { inner = field.observeValidation { heard.append(Self.name($0)) } }
    }
    field.validate()
    #expect(heard == [])
    field.value = 2
    #expect(heard == ["unknown"])
    withExtendedLifetime(outer) {}
  }

  @Test("Removing all observers of the value leaves those of the validity")
  func removeAll() {
    var heard: [String] = []
    let registration = field.observeValidation { heard.append(Self.name($0)) }
    field.validate()
    field.removeAllObservers()
    field.value = 0
    #expect(heard == ["valid", "unknown"])
    withExtendedLifetime(registration) {}
  }

  @Test("Tracked reads of state, issues and validity follow each change")
  func tracked() {
    let field = field.tracked()
    func changes(of read: () -> Void, by change: () -> Void) -> Int {
      let count = Recorder<Void>()
      withObservationTracking(read) { count.record(()) }
      change()
      return count.count
    }
    #expect(
      changes {
        _ = field.validationState
      } by: {
        field.validate()
      } == 1)
    #expect(
      changes {
        _ = field.validationState
      } by: {
        field.value = 0
      } == 1)
    #expect(
      changes {
        _ = field.issues
      } by: {
        field.validate()
      } == 1)
    #expect(
      changes {
        _ = field.issues
      } by: {
        field.addIssue(FieldIssue(code: "odd"))
      } == 1)
    #expect(
      changes {
        _ = field.validationState
      } by: {
        field.removeIssues()
      } == 1)
    field.value = 3
    #expect(
      changes {
        _ = field.isValid
      } by: {
        field.value = 0
      } == 1)
    // Nothing new: nothing to draw again.
    field.validate()
    #expect(
      changes {
        _ = field.validationState
      } by: {
        field.validate()
      } == 0)
    field.value = 3
    field.validate()
    #expect(
      changes {
        _ = field.validationState
      } by: {
        field.validate()
      } == 0)
    #expect(
      changes {
        _ = field.validationState
      } by: {
        _ = field.isValid
      } == 0)
  }

  @Test("Tracked reads follow a change of another field that a rule looks at")
  func trackedDependency() {
    let source = Field<Int>(value: 1)
    let field = Field<Int>(value: 1).require(.equal(to: source)).tracked()
    field.validate()
    let count = Recorder<Void>()
    withObservationTracking {
      _ = field.validationState
    } onChange: {
      count.record(())
    }
    source.value = 2
    #expect(count.count == 1 && field.validationState.isInvalid)
  }

  @Test("Tracked reads follow an asynchronous check")
  func trackedCheck() async {
    let gate = Gate()
    let field = Field<Int>(value: 1).require(
      .asynchronous { _ in
        await gate.wait()
        return false
      }
    ).tracked()
    let count = Recorder<Void>()
    func track() {
      withObservationTracking {
        _ = field.validationState
      } onChange: {
        count.record(())
      }
    }
    field.validate()
    track()
    let validation = Task { await field.validateAll() }
    await gate.arrivals(atLeast: 1)
    #expect(count.count == 1 && field.validationState == .validating)
    track()
    gate.open()
    #expect(await validation.value.isInvalid)
    #expect(count.count == 2)
  }

  @Test("A derived field tells of issues that are added to it")
  func derived() {
    let derived = DerivedField(field) { $0 }
    var heard: [String] = []
    let registration = derived.observeValidation { heard.append(Self.name($0)) }
    #expect(derived.validationState == .valid)
    derived.addIssue(FieldIssue(code: "odd"))
    derived.removeIssues()
    #expect(heard == ["odd", "valid"])
    withExtendedLifetime(registration) {}
  }
}
