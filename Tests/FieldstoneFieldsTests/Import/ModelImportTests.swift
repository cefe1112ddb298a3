import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Foundation
import Testing

/// A model as the documentation shows it.
final class Person: FieldModel, Codable {
  let name = Field<String>("Name", key: "name", order: 2)
  let age = Field<Int>("age", order: 1)
  let surface = Field<Surface>("surface", order: 3)
  let born = Field<Date>("born", order: 3).transform(with: .date(format: "yyyy-MM-dd"))
  let tags = *Field<String>("tags", order: 3)
  let label: DerivedField<String>

  var fields: [AnyField] { [name, age, surface, born, tags, label] }

  init() {
    label = DerivedField(name, age) { "\($0 ?? "?") \($1 ?? 0)" }
    label.key = "label"
    label.order = 9
  }

  convenience init(from decoder: any Decoder) throws {
    self.init()
    try decodeFields(from: decoder)
  }

  func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }
}

final class Loose: FieldModel {
  var fields: [AnyField] = []
}

@Suite("Import and export of a model")
struct ModelImportTests {
  @Test("Absent leaves untouched, null means nil, malformed keeps the value and adds an issue")
  func threeWays() throws {
    let person = Person()
    person.name.value = "Ada"
    person.age.value = 36
    person.surface.value = .grass
    let (nameRevision, ageRevision) = (person.name.revision, person.age.revision)
    let report = try person.importValues([
      "age": "old", "surface": nil, "tags": ["a", "b"], "zoo": 1, "label": "x", "extra": nil,
    ])
    #expect(person.name.value == "Ada" && person.name.revision == nameRevision)
    #expect(person.age.value == 36 && person.age.revision == ageRevision)
    #expect(person.age.issues == [.malformed(expected: "integer", found: "old")])
    #expect(person.surface.phase == .loaded(nil))
    #expect(person.tags.value == ["a", "b"])
    #expect(person.born.phase == .idle)
    #expect(report.imported == ["surface", "tags"])
    #expect(report.untouched == ["name", "born", "label"])
    #expect(report.unknown == ["extra", "zoo"])
    #expect(report.issues.map(\.path) == [["age"]])
  }

  @Test("What was imported is heard as imported, once for each field, in the fields' order")
  func batch() throws {
    let person = Person()
    var heard: [String] = []
    var labels: [String?] = []
    let registrations = [
      person.name.observe { [unowned person] change in
        heard.append("name \(change.origin) \(person.age.value ?? 0)")
      },
      person.age.observe { [unowned person] change in
        heard.append("age \(change.origin) \(person.name.value ?? "-")")
      },
      person.label.observe { labels.append($0.new) },
    ]
    heard = []
    try person.importValues(["name": "Ada", "age": 36])
    #expect(heard == ["age importing Ada", "name importing 36"])
    #expect(labels == ["? 0", "Ada 36"])
    withExtendedLifetime(registrations) {}
  }

  @Test("An issue of an import goes with the next set, and the next import replaces it")
  func issuesReplaced() throws {
    let person = Person()
    person.age.addIssue(FieldIssue(code: "own"))
    try person.importValues(["age": "a"])
    try person.importValues(["age": "b"])
    #expect(person.age.issues.map(\.code) == ["own", "malformed"])
    #expect(person.age.issues.last?.parameters["found"] == "\"b\"")
    try person.importValues(["age": 3])
    #expect(person.age.issues.isEmpty && person.age.value == 3)
  }

  @Test("An import ends loading; a refused value does not")
  func loading() throws {
    let person = Person()
    person.age.beginLoading()
    try person.importValues(["age": "x"])
    #expect(person.age.phase.isLoading)
    try person.importValues(["age": 1])
    #expect(person.age.phase == .loaded(1))
  }

  @Test("Export writes what is known; nil is omitted or written")
  func export() throws {
    let person = Person()
    #expect(try person.exportValues() == ["label": "? 0"])
    person.name.value = nil
    person.age.value = 3
    person.born.value = Date(timeIntervalSinceReferenceDate: 0)
    person.surface.beginLoading()
    person.tags.value = []
    let known: [String: JSONValue] = [
      "age": 3, "born": "2001-01-01", "tags": [], "label": "? 3",
    ]
    #expect(try person.exportValues() == known)
    #expect(
      try person.exportValues(nil: .explicit) == known.merging(["name": nil]) { $1 })
    person.age.beginLoading()
    person.age.fail(with: CancellationError())
    #expect(try person.exportValues()["age"] == 3)
  }

  @Test("Fields without a key or with the same key are an error, and nothing is imported")
  func keys() {
    let (first, second) = (Field<Int>("a"), Field<Int>("b", key: "a"))
    let model = Loose()
    model.fields = [first, second]
    #expect(throws: FieldModelError.sharedKey("a")) { try model.importValues(["a": 1]) }
    #expect(throws: FieldModelError.sharedKey("a")) { try model.exportValues() }
    #expect(throws: FieldModelError.sharedKey("a")) { try model.importJSON(Data("{}".utf8)) }
    model.fields = [first, Field<Int>()]
    #expect(throws: FieldModelError.missingKey(position: 1)) { try model.importValues(["a": 1]) }
    #expect(!first.isKnown)
    let message = FieldModelError.sharedKey("a").localizedDescription
    #expect(message.contains("“a”") && message.contains("give each one of its own"))
  }

  @Test("A value that can't be written is an error with the way to it")
  func notExported() {
    let model = Loose()
    model.fields = [Field<[Double]>("numbers", value: [1, .nan])]
    #expect {
      try model.exportValues()
    } throws: { error in
      guard case FieldModelError.notExported(let issue) = error else { return false }
      return issue.path == ["numbers", "1"] && issue.code == "notRepresentable"
    }
    model.fields = [Field<Opaque>("opaque", value: Opaque())]
    #expect(throws: FieldModelError.self) { try model.exportJSON() }
    model.fields = [
      Field<Int>("x", value: 1).transform(
        with: .custom(name: "odd", import: { _ in nil }, export: { _ in .double(.nan) }))
    ]
    #expect(throws: FieldModelError.unwritable(.numberOutOfRange(path: ["x"]))) {
      try model.exportJSON()
    }
  }

  @Test("A model is Codable both ways with two lines")
  func codable() throws {
    let text =
      "{\"age\":36,\"born\":\"1815-12-10\",\"name\":\"Ada\",\"tags\":[\"x\"],\"surface\":null}"
    let person = try JSONDecoder().decode(Person.self, from: Data(text.utf8))
    #expect(person.age.value == 36 && person.name.value == "Ada" && person.tags.value == ["x"])
    #expect(person.surface.phase == .loaded(nil))
    let data = try JSONEncoder().encode([person])
    let again = try JSONDecoder().decode([Person].self, from: data)
    #expect(try again.first?.exportValues() == person.exportValues())
    #expect(again.first?.surface.phase == .idle)
    let list = try PropertyListEncoder().encode(person)
    let third = try PropertyListDecoder().decode(Person.self, from: list)
    #expect(try third.exportValues() == person.exportValues())
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Person.self, from: Data("[]".utf8))
    }
  }

  @Test("What another format has and JSON does not is an issue of its field")
  func foreignValue() throws {
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["born": Date(timeIntervalSinceReferenceDate: 0), "age": 3],
      format: .binary, options: 0)
    let person = try PropertyListDecoder().decode(Person.self, from: list)
    #expect(person.age.value == 3)
    #expect(!person.born.isKnown && person.born.issues.map(\.code) == ["malformed"])
  }

  @Test("JSON goes in and out, with sorted keys")
  func json() throws {
    let person = Person()
    let report = try person.importJSON(Data("{\"name\":\"Ada\",\"age\":36,\"born\":1}".utf8))
    #expect(report.imported == ["age", "name"] && report.issues.map(\.path) == [["born"]])
    #expect(
      String(decoding: try person.exportJSON(), as: UTF8.self)
        == "{\"age\":36,\"label\":\"Ada 36\",\"name\":\"Ada\"}")
    person.name.value = nil
    #expect(
      String(decoding: try person.exportJSON(nil: .explicit), as: UTF8.self)
        == "{\"age\":36,\"label\":\"? 36\",\"name\":null}")
  }

  @Test("One unreadable value is an issue of its field; the others are imported")
  func unreadableValue() throws {
    let person = Person()
    let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    let text =
      "{\"age\":1e400,\"name\":\"Ada\",\"surface\":\"\\ud800\",\"tags\":\(deep),\"label\":1e400}"
    let report = try person.importJSON(Data(text.utf8))
    #expect(report.imported == ["name"])
    #expect(report.issues.map(\.path) == [["age"], ["surface"], ["tags"]])
    #expect(person.age.issues.map(\.code) == ["malformed"])
    #expect(report.untouched == ["born", "label"] && report.unknown.isEmpty)
  }

  @Test(
    "What is no JSON object is an error, and nothing is imported",
    arguments: [
      ("[]", .notAnObject), ("1", .notAnObject), ("null", .notAnObject),
      (String(repeating: "[", count: 100_000), .tooDeep),
    ] as [(String, JSONValueError)])
  func notAnObject(_ text: String, _ error: JSONValueError) {
    #expect(throws: FieldModelError.unreadable(error)) {
      try Person().importJSON(Data(text.utf8))
    }
  }
}
