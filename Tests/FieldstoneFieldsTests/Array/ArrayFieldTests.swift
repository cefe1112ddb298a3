import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Foundation
import Observation
import Testing

@Suite("An array field")
struct ArrayFieldTests {
  @Test("A star makes one from a field, and it takes over name, key and order")
  func star() {
    let tags = *Field<String>("Tag", key: "tag", order: 4)
    #expect(tags.name == "Tag" && tags.key == "tag" && tags.order == 4)
    let named = ArrayField(Field<String>("Tag", key: "tag", order: 4), name: "Tags", order: 1)
    #expect(named.name == "Tags" && named.key == "tag" && named.order == 1)
    let unkeyed = ArrayField(Field<String>("Tag"), name: "Tags")
    #expect(unkeyed.key == "Tags")
    let keyed = ArrayField(Field<String>("Tag"), key: "tags")
    #expect(keyed.name == "Tag" && keyed.key == "tags")
    #expect(ArrayField(Field<String>()).name == "")
  }

  @Test("It is a field: observed, bound, stamped, loaded")
  func isAField() {
    let time = ManualTime()
    let tags = ArrayField(Field<String>("Tag"), time: time.source)
    #expect(tags.phase == .idle && tags.items.isEmpty && tags.count == 0)
    let copy = *Field<String>("Tag")
    tags <--> copy
    var heard: [[String]?] = []
    tags.observe(owner: copy) { _, change in heard.append(change.new) }
    tags.append("a")
    copy.append("b")
    #expect(tags.value == ["a", "b"] && tags.updatedAt == time.now)
    #expect(heard == [nil, ["a"], ["a", "b"]])
  }

  @Test("Items are appended, inserted, removed, moved and replaced, and keep their identity")
  func edits() throws {
    let tags = *Field<String>("Tag")
    let (a, b) = (tags.append("a"), tags.append("b"))
    let c = try tags.insert("c", at: 1)
    #expect(tags.value == ["a", "c", "b"] && tags.items.map(\.id) == [a, c, b])
    try tags.move(from: 0, to: 2)
    #expect(tags.value == ["c", "b", "a"] && tags.items.map(\.id) == [c, b, a])
    try tags.move(from: 2, to: 1)
    #expect(tags.value == ["c", "a", "b"] && tags.items.map(\.id) == [c, a, b])
    try tags.replace(at: 1, with: "A")
    try tags.replace(b, with: "B")
    #expect(tags.value == ["c", "A", "B"] && tags.items.map(\.id) == [c, a, b])
    #expect(tags[a] == "A")
    #expect(try tags.index(of: b) == 2)
    #expect(try tags.remove(at: 0) == "c")
    #expect(try tags.remove(a) == "A")
    #expect(tags.items.map(\.id) == [b] && tags[a] == nil)
    _ = try tags.insert("end", at: 1)
    #expect(tags.value == ["B", "end"])
    #expect(tags.removeFirst("B") && !tags.removeFirst("B"))
    #expect(tags.value == ["end"])
  }

  @Test("Duplicates are kept, and the first of them is removed")
  func duplicates() {
    let tags = ArrayField(Field<String>("Tag"), value: ["a", "b", "a"])
    let identities = tags.items.map(\.id)
    #expect(Set(identities).count == 3)
    tags.removeFirst("a")
    #expect(tags.items.map(\.id) == [identities[1], identities[2]])
  }

  @Test("Each edit is one set", arguments: 0..<5)
  func oneSet(edit: Int) throws {
    let tags = ArrayField(Field<String>("Tag"), value: ["a", "b"])
    var count = 0
    let registration = tags.observe { _ in count += 1 }
    let revision = tags.revision
    switch edit {
    case 0: tags.append("c")
    case 1: try tags.insert("c", at: 0)
    case 2: try tags.remove(at: 0)
    case 3: try tags.move(from: 0, to: 1)
    default: try tags.replace(at: 0, with: "z")
    }
    #expect(count == 2 && tags.revision == revision + 1)
    withExtendedLifetime(registration) {}
  }

  @Test(
    "An index out of range and a stranger are typed errors, and nothing changes",
    arguments: [-1, 2, 3, Int.max, Int.min])
  func outOfRange(index: Int) throws {
    let tags = ArrayField(Field<String>("Tag"), value: ["a", "b"])
    let error = FieldItemError.indexOutOfRange(index, count: 2, field: "Tag")
    #expect(throws: error) { try tags.remove(at: index) }
    #expect(throws: error) { try tags.replace(at: index, with: "c") }
    #expect(throws: error) { try tags.move(from: index, to: 0) }
    #expect(throws: error) { try tags.move(from: 0, to: index) }
    if index != 2 { #expect(throws: error) { try tags.insert("c", at: index) } }
    let stranger = ArrayField(Field<String>("Tag")).append("x")
    #expect(throws: FieldItemError.unknownItem(field: "Tag")) { try tags.remove(stranger) }
    #expect(tags.value == ["a", "b"] && tags.revision == 1)
    // Only an insert may be at the count itself.
    #expect(error.message.contains("“Tag”") && error.message.contains("below its count"))
    #expect(!error.message.contains("up to its count"))
  }

  @Test("On an empty field there is nothing to remove")
  func empty() {
    let tags = *Field<String>("Tag")
    #expect(throws: FieldItemError.indexOutOfRange(0, count: 0, field: "Tag")) {
      try tags.remove(at: 0)
    }
    #expect(tags.phase == .idle)
  }

  @Test("When a whole array is assigned, items that stay keep their identity, in order")
  func assignment() {
    let tags = ArrayField(Field<String>("Tag"), value: ["a", "b", "c", "a"])
    let old = tags.items.map(\.id)
    tags.value = ["x", "a", "c", "a", "y"]
    let new = tags.items.map(\.id)
    #expect(new[1] == old[0] && new[2] == old[2] && new[3] == old[3])
    #expect(!old.contains(new[0]) && !old.contains(new[4]))
    tags.value = ["x", "a", "c", "a", "y"]
    #expect(tags.items.map(\.id) == new)
    tags.value = nil
    #expect(tags.items.isEmpty)
  }

  @Test(
    "Of a large array that is turned round, what lies at its ends and one item between stay")
  func largeAssignment() {
    let numbers = ArrayField(Field<Int>("Number"), value: [-1] + Array(0..<50_000) + [-2])
    let old = numbers.items.map(\.id)
    numbers.value = [-1] + Array((0..<50_000).reversed()) + [-2]
    let new = numbers.items.map(\.id)
    #expect(new.first == old.first && new.last == old.last)
    #expect(Set(new).intersection(old).count == 3 && Set(new).count == new.count)
  }

  @Test("Its items are imported and exported as the inner field says")
  func transformers() throws {
    let days = *Field<Date>("Day").transform(with: .date(format: "yyyy-MM-dd"))
    #expect(days.importValue(["2026-11-21", "2026-11-22"]) == .imported)
    #expect(days.value?.count == 2)
    #expect(try days.exportValue() == ["2026-11-21", "2026-11-22"])
    guard case .refused(let issue) = days.importValue(["2026-11-21", "tomorrow"]) else {
      Issue.record("A malformed item must be refused.")
      return
    }
    #expect(issue.path == ["1"] && days.value?.count == 2)
  }

  @Test("A transaction that throws brings back items with their identities")
  func rollback() {
    let tags = ArrayField(Field<String>("Tag"), value: ["a", "b"])
    let old = tags.items
    #expect(throws: FieldItemError.self) {
      try Fields.transaction {
        tags.append("c")
        try tags.remove(at: 0)
        try tags.remove(at: 10)
      }
    }
    #expect(tags.items == old)
    tags.append("d")
    #expect(tags.items.prefix(2).map(\.id) == old.map(\.id))
  }

  @Test(
    "Random edits and assignments: identities are unique, as many as values, and stay with what stays",
    arguments: 1...50)
  func randomEdits(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let field = *Field<Int>("Number")
    for _ in 0..<100 {
      let before = Dictionary(uniqueKeysWithValues: field.items.map { ($0.id, $0.value) })
      let count = field.count
      let value = Int.random(in: 0..<5, using: &random)
      let isReplacing = Int.random(in: 0..<6, using: &random)
      switch isReplacing {
      case 0: field.append(value)
      case 1: try field.insert(value, at: Int.random(in: 0...count, using: &random))
      case 2 where count > 0: try field.remove(at: Int.random(in: 0..<count, using: &random))
      case 3 where count > 0:
        try field.move(
          from: Int.random(in: 0..<count, using: &random),
          to: Int.random(in: 0..<count, using: &random))
      case 4: field.removeFirst(value)
      default:
        field.value = (0..<Int.random(in: 0..<8, using: &random)).map { _ in
          Int.random(in: 0..<5, using: &random)
        }
      }
      let items = field.items
      #expect(items.count == field.count, "seed \(seed)")
      #expect(Set(items.map(\.id)).count == items.count, "seed \(seed)")
      for item in items {
        if let old = before[item.id] { #expect(old == item.value, "seed \(seed)") }
      }
    }
  }

  @MainActor
  private final class Model {
    let tags = *Field<String>("Tag")
    private var wasSet = false

    /// Sets other values, once.
    func set(_ values: [String]) {
      if wasSet { return }
      wasSet = true
      tags.value = values
    }
  }

  @Test(
    "An array that Observation leads to another one keeps an identity for each item",
    arguments: [[], ["x"], ["x", "y"], ["x", "b", "y", "z", "q"]])
  @MainActor func setInsideObservation(inner: [String]) throws {
    let acts: [(ArrayField<String>) throws -> Void] = [
      { $0.append("z") }, { try $0.remove(at: 0) }, { try $0.replace(at: 1, with: "c") },
      { try $0.move(from: 0, to: 1) }, { $0.value = ["z", "b"] },
    ]
    for act in acts {
      let model = Model()
      let tags = model.tags
      tags.tracked()
      tags.value = ["a", "b"]
      withObservationTracking {
        _ = tags.value
      } onChange: {
        MainActor.assumeIsolated { model.set(inner) }
      }
      try act(tags)
      #expect(tags.items.count == tags.value?.count)
      #expect(Set(tags.items.map(\.id)).count == tags.count)
      tags.value = ["d", "b", "a"]
      #expect(tags.items.count == 3)
    }
  }
}
