import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Testing

@Suite("Validity in batches, transactions and circles")
@MainActor struct ValidationBatchTests {
  struct Trouble: Error {}

  let field = Field<Int>("Age", value: 1).require(.atLeast(1))

  @Test("A value that is as it was before a batch is as valid as it was", arguments: [1, 0])
  func sameInBatch(value: Int) {
    field.value = value
    let before = field.validate()
    var heard: [ValidationState] = []
    let registration = field.observeValidation { heard.append($0) }
    Fields.batch {
      field.value = 7
      #expect(field.validationState == .unknown)
      field.value = value
    }
    #expect(field.validationState == before)
    #expect(heard == [])
    withExtendedLifetime(registration) {}
  }

  @Test("What observers were told inside a batch is told to be otherwise at its end")
  func toldInBatch() {
    field.validate()
    var heard: [Bool] = []
    let registration = field.observeValidation { heard.append($0.isValid) }
    Fields.batch {
      field.value = 0
      field.validate()
      field.value = 1
    }
    #expect(field.validationState == .valid)
    #expect(heard.last == true && heard == [false, true])
    withExtendedLifetime(registration) {}
  }

  @Test("A value that a batch changes is unknown once, at its end")
  func changed() {
    field.validate()
    var heard: [ValidationState] = []
    let registration = field.observeValidation { heard.append($0) }
    Fields.batch {
      field.value = 2
      field.value = 3
    }
    #expect(heard == [.unknown] && field.validationState == .unknown)
    withExtendedLifetime(registration) {}
  }

  @Test("A transaction that is taken back restores state and issues, whatever was asked inside")
  func takenBack() {
    field.value = 0
    let before = field.validate()
    field.addIssue(FieldIssue(code: "odd"))
    let issues = field.issues
    var heard: [Int] = []
    let registration = field.observeValidation { heard.append($0.issues.count) }
    try? Fields.transaction {
      field.value = 5
      #expect(field.validate() == .valid)
      throw Trouble()
    }
    #expect(field.issues == issues && field.validationState == .invalid(issues))
    #expect(before.issues.count == 1)
    #expect(heard == [0, 2])
    withExtendedLifetime(registration) {}
  }

  @Test("A transaction inside another takes back its own part")
  func inner() {
    field.validate()
    Fields.batch {
      field.value = 0
      #expect(field.validate().isInvalid)
      try? Fields.transaction {
        field.value = 8
        #expect(field.validate() == .valid)
        throw Trouble()
      }
      #expect(field.validationState.isInvalid)
    }
    #expect(field.validationState.isInvalid && field.value == 0)
  }

  @Test("A transaction that goes through keeps what was asked inside")
  func goneThrough() {
    Fields.transaction {
      field.value = 0
      field.validate()
    }
    #expect(field.validationState.isInvalid)
  }

  @Test("An added issue is taken back with a transaction, and those who heard it hear that")
  func addedIssue() {
    field.validate()
    var heard: [Bool] = []
    let registration = field.observeValidation { heard.append($0.isValid) }
    try? Fields.transaction {
      field.addIssue(FieldIssue(code: "odd"))
      throw Trouble()
    }
    #expect(field.validationState == .valid && heard == [false, true])
    withExtendedLifetime(registration) {}
  }

  @Test("An array that is validated for the first time inside is taken back, too")
  func firstInside() {
    let tags = *Field<String>("Tag").require(.notBlank)
    tags.value = ["a"]
    try? Fields.transaction {
      tags.value = ["a", ""]
      #expect(tags.validate().isInvalid)
      throw Trouble()
    }
    #expect(!tags.validationState.isInvalid && tags.issues.isEmpty && tags.isValid)
  }

  @Test("A question that is under way goes on when a batch ends where it began")
  func question() async {
    let gate = Gate()
    let asked = Recorder<Int>()
    let field = Field<Int>(value: 1).require(
      .asynchronous { value in
        asked.record(value)
        await gate.wait()
        return true
      })
    let validation = Task { await field.validateAll() }
    await asked.elements(atLeast: 1)
    for isValidatedInside in [false, true] {
      Fields.batch {
        field.value = 2
        if isValidatedInside { field.validate() }
        field.value = 1
        if isValidatedInside { field.validate() }
      }
      #expect(field.validationState == .validating)
    }
    try? Fields.transaction {
      field.value = 2
      field.validate()
      throw Trouble()
    }
    #expect(field.validationState == .validating)
    gate.open()
    #expect(await validation.value == .valid)
    #expect(asked.elements == [1])
  }

  @Test("A question that is under way is given up when a batch ends elsewhere")
  func questionGivenUp() async {
    let asked = Recorder<Int>()
    let given = Recorder<Int>()
    let gate = Gate()
    let field = Field<Int>(value: 1).require(
      .asynchronous { value in
        asked.record(value)
        do { try await gate.waitUnlessCancelled() } catch { given.record(value) }
        return true
      })
    let validation = Task { await field.validateAll() }
    await asked.elements(atLeast: 1)
    Fields.batch {
      field.value = 2
      field.value = 3
    }
    #expect(field.validationState == .unknown)
    #expect(await validation.value == .unknown)
    #expect(await given.elements(atLeast: 1) == [1])
  }

  @Test("A question outlives a failure that a transaction takes back")
  func failureTakenBack() async {
    let gate = Gate()
    let source = Field<Int>(value: 1)
    let field = Field<Int>(value: 1).require(.equal(to: source)).require(
      .asynchronous { _ in
        await gate.wait()
        return true
      })
    let validation = Task { await field.validateAll() }
    await gate.arrivals(atLeast: 1)
    try? Fields.transaction {
      source.value = 2
      field.validate()
      throw Trouble()
    }
    #expect(field.validationState == .validating)
    gate.open()
    #expect(await validation.value == .valid)
  }

  @Test("An echo leaves validity and added issues alone")
  func echo() {
    let (a, b) = (Field<Int>(value: 1), Field<Int>(value: 1))
    a.require(.atLeast(0))
    b.require(.atLeast(0))
    a.observe(owner: a) { a, change in
      if change.origin == .code { a.addIssue(FieldIssue(code: "odd", severity: .warning)) }
    }
    a <--> b
    a.validate()
    b.validate()
    a.value = 2
    // What comes back from b is what a has just sent.
    #expect(a.issues.map(\.code) == ["odd"])
    #expect(a.validationState == .unknown && b.validationState == .unknown)
    a.validate()
    b.validate()
    var heard = 0
    let registration = a.observeValidation { _ in heard += 1 }
    b.value = 2
    #expect(a.validationState == .valid && b.validationState == .valid && heard == 0)
    withExtendedLifetime(registration) {}
  }

  @Test("Validating within a delivery is about the value as it is")
  func onChange() {
    var states: [ValidationState] = []
    field.observe(owner: field) { field, _ in states.append(field.validate()) }
    field.value = 0
    field.value = 3
    #expect(states.map(\.isValid) == [true, false, true])
  }

  @Test("A rule that is added inside is asked about a value that is as it was, or is taken back")
  func ruleAddedInside() async {
    field.validate()
    Fields.batch {
      field.value = 1
      field.require(.atLeast(2))
    }
    #expect(field.validationState == .unknown && !field.isValid)
    let other = Field<Int>(value: 1).require(.atLeast(1))
    other.validate()
    try? Fields.transaction {
      other.value = 2
      other.require(.atLeast(2))
      throw Trouble()
    }
    #expect(other.value == 1 && other.validationState == .unknown && !other.isValid)
    let asked = Field<Int>(value: 1).require(.asynchronous { _ in true })
    #expect(await asked.validateAll() == .valid)
    Fields.batch {
      asked.value = 1
      asked.require(.asynchronous { $0 > 1 })
    }
    #expect(asked.validationState == .unknown)
    #expect(await asked.validateAll().isInvalid)
  }
}
