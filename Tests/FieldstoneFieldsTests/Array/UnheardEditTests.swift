import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Testing

/// Edits of an array that nothing observes are made in place.
@Suite("Edits that nothing hears")
struct UnheardEditTests {
  @Test(
    "Random edits leave a field that nothing observes as one that is observed", arguments: 1...40)
  func sameAsHeard(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let time = ManualTime()
    let limit = Field<Int>("Limit", value: 3)
    let fields = (0..<2).map { _ in
      let element = Field<Int>("Number").require { $0 != 2 }
        .require(.depending(on: limit) { number, limit in number < limit ?? 9 })
      return ArrayField(element, time: time.source).require(.count(...6))
    }
    var heard = 0
    fields[1].observe(owner: time) { _, _ in heard += 1 }
    for _ in 0..<100 {
      time.advance(by: .seconds(1))
      let count = fields[0].count
      let value = Int.random(in: 0..<5, using: &random)
      let one = Int.random(in: 0...count, using: &random)
      let other = Int.random(in: 0..<9, using: &random)
      let act = Int.random(in: 0..<9, using: &random)
      for field in fields {
        switch act {
        case 0, 1: field.append(value)
        case 2: try field.insert(value, at: one)
        case 3 where one < count: try field.remove(at: one)
        case 4: field.removeFirst(value)
        case 5 where one < count: try field.replace(at: one, with: value)
        case 6 where other < count && one < count: try field.move(from: one, to: other)
        case 7: limit.value = value
        default: field.validateIfNeeded()
        }
        if act == 8 { field.addIssue(FieldIssue("is odd", code: "odd")) }
      }
      #expect(fields[0].value == fields[1].value, "seed \(seed)")
      #expect(fields[0].revision == fields[1].revision, "seed \(seed)")
      #expect(fields[0].updatedAt == fields[1].updatedAt, "seed \(seed)")
      #expect(fields[0].changedAt == fields[1].changedAt, "seed \(seed)")
      #expect(fields[0].validationState == fields[1].validationState, "seed \(seed)")
      let issues = fields.map { field in field.items.map { field.issues(of: $0.id) } }
      #expect(issues[0] == issues[1], "seed \(seed)")
    }
    #expect(heard > 10)
  }

  @Test("Appending moves the items as rarely as an array that grows does")
  func inPlace() {
    let numbers = *Field<Int>("Number").require { $0 >= 0 }
    var (moves, place) = (0, UnsafePointer<Int>?.none)
    for number in 0..<10_000 {
      numbers.append(number)
      #expect(numbers.isValid)
      let now = numbers.value?.withUnsafeBufferPointer(\.baseAddress)
      if now != place { moves += 1 }
      place = now
    }
    #expect(moves < 50 && numbers.count == 10_000)
  }

  @Test("The first item makes the field loaded, and what held the array keeps it as it was")
  func copies() throws {
    let numbers = *Field<Int>("Number")
    #expect(!numbers.isKnown)
    numbers.append(1)
    #expect(numbers.isKnown && numbers.phase == .loaded([1]))
    let before = numbers.value
    numbers.append(2)
    try numbers.remove(at: 0)
    #expect(before == [1] && numbers.value == [2])
  }

  @Test("A field that is loading, is followed or is in a transaction hears of each edit")
  func heard() {
    let numbers = *Field<Int>("Number")
    numbers.beginLoading()
    numbers.append(1)
    #expect(numbers.phase == .loaded([1]))
    #expect(throws: MessageError.self) {
      try Fields.transaction {
        numbers.append(2)
        throw MessageError("no")
      }
    }
    #expect(numbers.value == [1])
    let count = DerivedField(numbers) { $0?.count ?? 0 }
    #expect(count.value == 1)
    numbers.append(2)
    #expect(count.value == 2)
  }

  @Test("Replacing and moving items that nothing observes leaves the others where they are")
  func replacedInPlace() throws {
    let numbers = ArrayField(Field<Int>("Number").require { $0 < 9 }, value: Array(0..<8))
    numbers.validate()
    let place = numbers.value?.withUnsafeBufferPointer(\.baseAddress)
    for index in 0..<8 {
      try numbers.replace(at: index, with: index + 1)
      #expect(numbers.value?.withUnsafeBufferPointer(\.baseAddress) == place)
    }
    #expect(numbers.value == Array(1...8) && numbers.isValid)
    try numbers.move(from: 0, to: 7)
    #expect(numbers.value == Array(2...8) + [1])
    #expect(numbers.value?.withUnsafeBufferPointer(\.baseAddress) == place)
  }
}
