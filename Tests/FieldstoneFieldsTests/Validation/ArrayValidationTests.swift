import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Observation
import Testing

@Suite("Validation of arrays")
struct ArrayValidationTests {
  struct Trouble: Error {}

  func tags(_ values: [String] = []) -> ArrayField<String> {
    let tags = *Field<String>("Tag").require(.notBlank).require(.length(...3))
    tags.value = values
    return tags
  }

  func paths(_ tags: ArrayField<String>) -> [String] {
    tags.issues.map { $0.path.joined(separator: ".") + " " + $0.code }
  }

  @Test("Rules of the array and rules of its items hold together, the array's own first")
  func both() {
    let tags = tags(["a", "", "long"])
    tags.require(.count(...2))
    #expect(tags.validate().issues.map(\.code) == ["tooMany", "blank", "tooLong"])
    #expect(paths(tags) == [" tooMany", "1 blank", "2 tooLong"])
    #expect(tags.validationState.issues.map(\.path) == [[], ["1"], ["2"]])
    tags.value = ["a", "b"]
    #expect(tags.validationState == .unknown && tags.validate() == .valid)
  }

  @Test("No items need no item to hold, and an array may be nil")
  func empty() {
    let tags = tags([])
    #expect(tags.validate() == .valid)
    tags.value = nil
    #expect(tags.validate() == .valid)
    tags.require(.notNil)
    #expect(tags.validate().issues.map(\.code) == ["required"])
  }

  @Test("Issues stay with their item when it moves, and when others come and go")
  func travel() throws {
    let tags = tags(["a", "", "c", "long"])
    tags.validate()
    let (blank, long) = (tags.items[1].id, tags.items[3].id)
    #expect(paths(tags) == ["1 blank", "3 tooLong"])
    try tags.move(from: 1, to: 3)
    #expect(paths(tags) == ["2 tooLong", "3 blank"])
    try tags.insert("new", at: 0)
    #expect(paths(tags) == ["3 tooLong", "4 blank"])
    #expect(tags.issues(of: blank).map(\.code) == ["blank"])
    #expect(tags.issues(of: blank).map(\.path) == [[]])
    #expect(tags.issues(of: tags.items[0].id) == [])
    try tags.remove(at: 0)
    tags.append("d")
    #expect(paths(tags) == ["2 tooLong", "3 blank"])
    try tags.remove(long)
    #expect(paths(tags) == ["2 blank"] && tags.issues(of: long) == [])
    // What is known of the whole is not known any more, what is known of the items stays.
    #expect(tags.validationState == .unknown)
    #expect(tags.validate().issues.map(\.path) == [["2"]])
  }

  @Test("An item that gets another value has no issues until it is validated again")
  func replace() throws {
    let tags = tags(["", "long"])
    tags.validate()
    try tags.replace(at: 0, with: " ")
    #expect(paths(tags) == ["1 tooLong"])
    try tags.replace(at: 1, with: "long")
    #expect(paths(tags) == ["1 tooLong"])
    #expect(tags.validate().issues.map(\.code) == ["blank", "tooLong"])
  }

  @Test("A whole array that is assigned keeps the issues of items that are in both")
  func assign() {
    let tags = tags(["a", "", "long"])
    tags.validate()
    tags.value = ["x", "long", "y"]
    #expect(paths(tags) == ["1 tooLong"])
    tags.value = []
    #expect(paths(tags) == [])
    tags.value = ["long"]
    #expect(paths(tags) == [])
  }

  @Test("Equal items have issues each of their own")
  func equalItems() throws {
    let tags = tags(["", ""])
    tags.validate()
    #expect(paths(tags) == ["0 blank", "1 blank"])
    try tags.remove(at: 0)
    #expect(paths(tags) == ["0 blank"])
  }

  @Test("Warnings of items leave the array valid")
  func warnings() {
    let tags = *Field<String>("Tag").require(.notBlank, severity: .warning)
    tags.value = ["", "a"]
    #expect(tags.validate() == .valid)
    #expect(paths(tags) == ["0 blank"])
    tags.value = ["b", "a"]
    #expect(tags.validate() == .valid && tags.issues == [])
  }

  @Test("Paths of items go before the paths of the issues")
  func pathsInside() {
    let field = *Field<[String: Int]>("Entry").require(
      .issues { $0.keys.sorted().map { FieldIssue(code: "odd", path: [$0]) } })
    field.value = [[:], ["k": 1]]
    #expect(field.validate().issues.map(\.path) == [["1", "k"]])
  }

  @Test("Item rules are asked again when a field changes that they look at")
  func dependency() {
    let limit = Field<Int>(value: 3)
    let tags = *Field<String>("Tag").require(
      .depending(on: limit, code: "limit") { $0.count <= $1 ?? .max })
    tags.value = ["abc", "abcd"]
    #expect(tags.validate().issues.map(\.path) == [["1"]])
    limit.value = 2
    #expect(tags.validationState.issues.map(\.path) == [["0"], ["1"]])
    limit.value = 9
    #expect(tags.validationState == .valid)
    tags.value = ["a"]
    limit.value = 0
    #expect(tags.validationState == .unknown)
  }

  @Test("A transaction that is taken back gives items and issues back")
  func takenBack() throws {
    let tags = tags(["a", "", "long"])
    tags.validate()
    var heard: [[String]] = []
    let registration = tags.observeValidation { state in
      heard.append(state.issues.map { $0.path.joined() })
    }
    try? Fields.transaction {
      try tags.remove(at: 0)
      try tags.replace(at: 0, with: "ok")
      tags.validate()
      throw Trouble()
    }
    #expect(paths(tags) == ["1 blank", "2 tooLong"])
    #expect(tags.validationState.isInvalid)
    #expect(heard == [["1"], ["1", "2"]])
    withExtendedLifetime(registration) {}
  }

  @Test("Observers of an array's validity hear it as that of a field")
  func observe() throws {
    let tags = tags(["a"])
    var heard: [String] = []
    let registration = tags.observeValidation { heard.append(ValidationObservationTests.name($0)) }
    tags.validate()
    tags.append("")
    tags.validate()
    try tags.remove(at: 1)
    tags.validate()
    #expect(heard == ["valid", "unknown", "blank", "unknown", "valid"])
    withExtendedLifetime(registration) {}
  }

  @Test("Asynchronous item rules are asked for each item, and their issues travel, too")
  @MainActor func asynchronous() async throws {
    let asked = Recorder<String>()
    let tags = *Field<String>("Tag").require(.notBlank).require(
      .asynchronous("is taken", code: "taken") { tag in
        asked.record(tag)
        return tag != "b"
      })
    tags.value = ["a", "b", ""]
    #expect(await tags.validateAll().issues.map(\.code) == ["blank"])
    #expect(asked.count == 0)
    try tags.replace(at: 2, with: "c")
    #expect(tags.validateIfNeeded() == .unknown)
    #expect(await tags.validateAll().issues.map(\.path) == [["1"]])
    #expect(asked.elements.sorted() == ["a", "b", "c"])
    let taken = tags.items[1].id
    try tags.move(from: 1, to: 0)
    #expect(tags.validationState == .unknown)
    #expect(paths(tags) == ["0 taken"] && tags.issues(of: taken).map(\.code) == ["taken"])
    try tags.replace(at: 0, with: "d")
    #expect(await tags.validateAll() == .valid)
  }

  @Test("An item that was refused is not accepted because a batch gives its value to another item")
  @MainActor func refusedInABatch() async throws {
    let tags = *Field<String>("Tag").require(.asynchronous("is taken") { $0 != "b" })
    tags.value = ["a", "b"]
    #expect(await tags.validateAll().issues.map(\.path) == [["1"]])
    Fields.batch {
      tags.value = []
      tags.value = ["a", "b"]
    }
    #expect(tags.validationState == .unknown)
    #expect(await tags.validateAll().issues.map(\.path) == [["1"]])
  }

  @Test("An edit gives up the questions about items")
  @MainActor func editMeanwhile() async throws {
    let (asked, gate) = (Recorder<String>(), Gate())
    let tags = *Field<String>("Tag").require(
      .asynchronous { tag in
        asked.record(tag)
        await gate.wait()
        return false
      })
    tags.value = ["a", "b"]
    let validation = Task { await tags.validateAll() }
    await asked.elements(atLeast: 2)
    #expect(tags.validationState == .validating)
    try tags.remove(at: 0)
    #expect(await validation.value == .unknown)
    gate.open()
    #expect(await tags.validateAll().issues.map(\.path) == [["0"]])
  }

  @Test("Tracked reads of an item's issues follow them")
  func tracked() {
    let tags = tags([""])
    tags.tracked()
    let (count, id) = (Recorder<Void>(), tags.items[0].id)
    withObservationTracking {
      _ = tags.issues(of: id)
    } onChange: {
      count.record(())
    }
    tags.validate()
    #expect(count.count == 1 && tags.issues(of: id).map(\.code) == ["blank"])
  }

  @Test("Where a rule of the array fails, what is known of its items stays, and is heard")
  @MainActor func failureOfTheArray() async throws {
    let asked = Recorder<String>()
    let tags =
      (*Field<String>("Tag").require(
        .asynchronous("is taken", code: "taken") { tag in
          asked.record(tag)
          return tag != "b"
        })).require(.count(...2))
    tags.value = ["a", "b"]
    await tags.validateAll()
    var heard: [ValidationState] = []
    let registration = tags.observeValidation { heard.append($0) }
    tags.append("c")
    let state = await tags.validateAll()
    #expect(heard.last == state && state == tags.validationState)
    #expect(paths(tags) == [" tooMany", "1 taken"] && asked.count == 2)
    // Where they hold, being asked by hand is a question about all of them.
    try tags.remove(at: 2)
    await tags.validateAll()
    #expect(paths(tags) == ["1 taken"] && heard.last == tags.validationState)
    #expect(asked.elements.dropFirst(2).sorted() == ["a", "b"])
    withExtendedLifetime(registration) {}
  }

  @Test(
    "A rule of the items that comes later makes a validated array unknown",
    arguments: [true, false])
  func laterRule(hadRules: Bool) {
    let tags = (*Field<String>("Tag")).require(.count(...3))
    if hadRules { tags.element.require(.notBlank) }
    tags.value = ["abcdef"]
    #expect(tags.validate() == .valid)
    tags.element.require(.length(...3))
    #expect(tags.validationState == .unknown && !tags.isValid)
    #expect(paths(tags) == ["0 tooLong"])
  }
}
