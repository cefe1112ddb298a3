import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Testing

@Suite("A whole array that is assigned")
struct ArrayAssignmentTests {
  /// Equal to what has the same number, and without a hash.
  private struct Plain: Equatable, Sendable {
    var number: Int
  }

  /// Has the same hash as all others.
  private struct Clash: Hashable, Sendable {
    var number: Int
    func hash(into hasher: inout Hasher) {}
  }

  /// How long the longest common subsequence is, as a textbook has it.
  private func common<Item: Equatable>(_ left: [Item], _ right: [Item]) -> Int {
    var row = [Int](repeating: 0, count: right.count + 1)
    for item in left {
      var before = row
      for (index, other) in right.enumerated() {
        before[index + 1] = item == other ? row[index] + 1 : max(row[index + 1], before[index])
      }
      row = before
    }
    return row[right.count]
  }

  private func check<Item: Equatable & Sendable>(
    _ make: (Int) -> Item, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let kinds = Int.random(in: 1..<40, using: &random)
    func array() -> [Item] {
      (0..<Int.random(in: 0..<60, using: &random)).map { _ in
        make(Int.random(in: 0..<kinds, using: &random))
      }
    }
    let field = ArrayField(Field<Item>("Item"), value: array())
    for _ in 0..<20 {
      let before = field.items
      field.value = array()
      let after = field.items
      let places = Dictionary(uniqueKeysWithValues: before.enumerated().map { ($1.id, $0) })
      let kept = after.compactMap { places[$0.id] }
      #expect(kept == kept.sorted() && Set(after.map(\.id)).count == after.count, "seed \(seed)")
      #expect(
        kept.count == common(before.map(\.value), after.map(\.value)), "seed \(seed)")
      for item in after {
        if let place = places[item.id] { #expect(before[place].value == item.value) }
      }
    }
  }

  @Test(
    "As many items keep their identity as can, in their order, with a hash and without one",
    arguments: 1...60)
  func asManyAsCan(seed: UInt64) throws {
    try check({ $0 }, seed: seed)
    try check({ Plain(number: $0) }, seed: seed)
  }

  @Test("Large arrays that have nothing, everything or each item twice in common")
  func large() {
    let numbers = ArrayField(Field<Int>("Number"), value: Array(0..<100_000))
    let ids = Set(numbers.items.map(\.id))
    numbers.value = Array(100_000..<200_000)
    #expect(ids.isDisjoint(with: numbers.items.map(\.id)))
    numbers.value = []
    #expect(numbers.items.isEmpty)
    numbers.value = (0..<100_000).map { $0 % 2 }
    let old = numbers.items
    numbers.value = (0..<100_000).map { ($0 + 1) % 2 }
    #expect(Set(numbers.items.map(\.id)).intersection(old.map(\.id)).count >= 50_000)
    numbers.value = [7] + (numbers.value ?? []) + [8]
    #expect(numbers.count == 100_002)
  }

  @Test("Items that moved apart by one, at both ends, stay themselves")
  func insertedAtBothEnds() {
    let numbers = ArrayField(Field<Int>("Number"), value: Array(0..<50_000))
    let old = numbers.items.map(\.id)
    numbers.value = [-1] + Array(0..<25_000) + Array(25_001..<50_000) + [-2]
    let new = numbers.items.map(\.id)
    #expect(Array(new[1...25_000]) == Array(old[..<25_000]))
    #expect(Array(new[25_001..<50_000]) == Array(old[25_001...]))
    #expect(new.count == 50_001 && Set(new).count == new.count)
  }

  @Test("A hash that tells nothing makes items new rather than the assignment slow")
  func clashes() {
    let items = ArrayField(Field<Clash>("Item"), value: (0..<5_000).map { Clash(number: $0) })
    let old = Set(items.items.map(\.id))
    items.value = (0..<5_000).reversed().map { Clash(number: $0) }
    #expect(items.count == 5_000 && Set(items.items.map(\.id)).intersection(old).count < 2)
    let few = ArrayField(Field<Clash>("Item"), value: (0..<10).map { Clash(number: $0) })
    let id = few.items[5].id
    few.value = [3, 5, 99].map { Clash(number: $0) }
    #expect(few.items[1].id == id)
  }

  @Test("Issues go with the items that stay, and those of the others with them")
  func issues() {
    let tags = *Field<String>("Tag").require(.length(...3))
    tags.value = ["ok", "too long", "fine?", "no"]
    tags.validate()
    let (long, fine) = (tags.items[1].id, tags.items[2].id)
    tags.value = ["new", "fine?", "end"]
    #expect(tags.issues(of: fine).count == 1 && tags.issues(of: long).isEmpty)
    #expect(tags.items[1].id == fine)
  }

  @Test("An edit asks the rules about what it has changed, and validating about everything")
  func asksOnce() throws {
    let asked = Recorder<Int>()
    let numbers = *Field<Int>("Number").require { number in
      asked.record(number)
      return number >= 0
    }
    for number in 0..<100 {
      numbers.append(number)
      #expect(numbers.isValid)
    }
    #expect(asked.elements == Array(0..<100))
    asked.removeAll()
    try numbers.replace(at: 50, with: -1)
    #expect(!numbers.isValid && asked.elements == [-1])
    try numbers.move(from: 50, to: 0)
    numbers.value?.append(100)
    #expect(!numbers.isValid && asked.elements == [-1, 100])
    #expect(numbers.validationState.isInvalid)
    try numbers.remove(at: 0)
    #expect(numbers.isValid && asked.elements == [-1, 100])
    numbers.validate()
    #expect(asked.elements.count == 102)
  }

  @Test("A rule that is added, and a field that a rule looks at, have all items asked about again")
  func asksAgain() {
    let limit = Field<Int>(value: 5)
    let element = Field<Int>("Number").require(
      .depending(on: limit) { number, limit in number < (limit ?? 0) })
    let numbers = *element
    numbers.value = [1, 2, 3]
    #expect(numbers.isValid)
    limit.value = 3
    numbers.append(0)
    #expect(!numbers.isValid && numbers.issues(of: numbers.items[2].id).count == 1)
    limit.value = 5
    #expect(numbers.isValid)
    element.require { $0 != 1 }
    numbers.append(2)
    #expect(!numbers.isValid && numbers.issues(of: numbers.items[0].id).count == 1)
  }

  @Test("What a batch puts in the place of an equal item is asked about")
  func sameValuesInABatch() throws {
    let numbers = *Field<Int>("Number").require { $0 > 0 }
    numbers.value = [1, -1]
    #expect(!numbers.isValid)
    try Fields.batch {
      try numbers.remove(at: 1)
      numbers.append(-1)
    }
    numbers.append(1)
    #expect(!numbers.isValid)
    #expect(numbers.issues(of: numbers.items[1].id).count == 1)
  }

  @Test("Equal values that a batch gives to other items have their issues there")
  func sameValuesOfOtherItems() throws {
    let numbers = *Field<Int>("Number").require { $0 > 0 }
    numbers.value = [1, -1]
    #expect(!numbers.isValid && numbers.issues.count == 1)
    Fields.batch {
      numbers.value = []
      numbers.value = [1, -1]
    }
    #expect(!numbers.isValid && numbers.issues.count == 1)
    #expect(numbers.issues(of: numbers.items[1].id).count == 1)
  }
}
