import FieldstoneCore
import FieldstoneFields
import Foundation
import Testing

enum Surface: String, DefaultTransformable, CaseIterable { case asphalt, grass, water }
enum Grade: Int, DefaultTransformable, CaseIterable { case low = 1, middle = 2, high = 3 }

/// A type that has no transformer of its own.
struct Opaque: Equatable, Sendable { var number = 0 }

/// What a field of a type takes in, and what it refuses.
struct Acceptance: Sendable, CustomTestStringConvertible {
  let type: String
  let json: JSONValue
  /// Imports; gives what the field holds, as text, or the issue.
  let run: @Sendable (JSONValue) -> (text: String?, issue: FieldIssue?)
  let expected: String?

  var testDescription: String { "\(type) of \(json)" }

  init<Value: Equatable & Sendable>(_ type: Value.Type, _ json: JSONValue, _ expected: Value?) {
    self.type = "\(type)"
    self.json = json
    self.expected = expected.map { "\($0)" }
    run = { json in
      let field = Field<Value>()
      field.importValue(json)
      return (field.value.map { "\($0)" }, field.issues.first)
    }
  }
}

@Suite("Transformers")
struct TransformerTests {
  static let acceptances: [Acceptance] = [
    Acceptance(Bool.self, true, true), Acceptance(Bool.self, 1, nil),
    Acceptance(Bool.self, "true", nil),
    Acceptance(Int.self, 3, 3), Acceptance(Int.self, 3.0, 3), Acceptance(Int.self, 3.5, nil),
    Acceptance(Int.self, 1e300, nil), Acceptance(Int.self, "3", nil),
    Acceptance(Int.self, true, nil), Acceptance(Int.self, [3], nil),
    Acceptance(Int.self, .double(.nan), nil), Acceptance(Int.self, .double(.infinity), nil),
    Acceptance(Int.self, .double(0x1p63), nil), Acceptance(Int.self, .double(-0x1p63), .min),
    Acceptance(Int64.self, 9, 9), Acceptance(Int64.self, 9.5, nil),
    Acceptance(Double.self, 3, 3), Acceptance(Double.self, 1e300, 1e300),
    Acceptance(Double.self, "3", nil), Acceptance(Double.self, .double(.infinity), nil),
    Acceptance(Float.self, 0.1, 0.1), Acceptance(Float.self, 1e300, nil),
    Acceptance(Float.self, 3, 3),
    Acceptance(String.self, "3", "3"), Acceptance(String.self, 3, nil),
    Acceptance(String.self, "", ""),
    Acceptance(Decimal.self, "0.1", Decimal(string: "0.1")), Acceptance(Decimal.self, 7, 7),
    Acceptance(Decimal.self, 0.1, Decimal(string: "0.1")),
    Acceptance(Decimal.self, "1.5abc", nil), Acceptance(Decimal.self, "1.", nil),
    Acceptance(Decimal.self, "NaN", nil), Acceptance(Decimal.self, "1e999", nil),
    Acceptance(Decimal.self, 1e300, nil), Acceptance(Decimal.self, " 1", nil),
    Acceptance(Decimal.self, "-1e-2", Decimal(string: "-0.01")),
    Acceptance(URL.self, "https://a.example/b?c=d", URL(string: "https://a.example/b?c=d")),
    Acceptance(URL.self, "", nil), Acceptance(URL.self, "a b", nil),
    Acceptance(
      UUID.self, "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
      UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")),
    Acceptance(UUID.self, "E621E1F8", nil),
    Acceptance(Data.self, "AQID", Data([1, 2, 3])), Acceptance(Data.self, "A!", nil),
    Acceptance([Int].self, [1, 2.0], [1, 2]), Acceptance([Int].self, [], []),
    Acceptance([Int].self, [1, nil], nil), Acceptance([Int].self, 1, nil),
    Acceptance([[String]].self, [["a"], []], [["a"], []]),
    Acceptance([[String]].self, [["a"], [1]], nil),
    Acceptance(Surface.self, "grass", .grass), Acceptance(Surface.self, "Grass", nil),
    Acceptance(Surface.self, 1, nil), Acceptance(Grade.self, 2, .middle),
    Acceptance(Grade.self, 9, nil), Acceptance(Grade.self, "2", nil),
    Acceptance(Opaque.self, 1, nil),
  ]

  @Test("Each type takes what is its own, and makes an issue of all else", arguments: acceptances)
  func strict(_ acceptance: Acceptance) throws {
    let (text, issue) = acceptance.run(acceptance.json)
    #expect(text == acceptance.expected)
    #expect((issue == nil) == (acceptance.expected != nil))
    #expect(issue?.source ?? .importing == .importing)
  }

  @Test("An issue says what was expected and what was found, in a few words")
  func malformed() {
    let age = Field<Int>()
    age.importValue(3.5)
    #expect(age.issues == [.malformed(expected: "integer", found: 3.5)])
    #expect(age.issues.first?.parameters == ["expected": "integer", "found": "3.5"])
    #expect(age.issues.first?.code == "malformed")
    age.importValue(.string(String(repeating: "x", count: 10_000)))
    #expect(age.issues.count == 1)
    #expect((age.issues.first?.parameters["found"]?.count ?? 99) < 50)
    age.importValue(["a": [1, 2]])
    #expect(age.issues.first?.parameters["found"] == "object (1)")
  }

  @Test("Whoever observes the validation hears of a value that can't be imported")
  func malformedIsTold() {
    let age = Field<Int>("Age", value: 1)
    var states: [Bool] = []
    let registration = age.observeValidation { states.append($0.isValid) }
    age.importValue("three")
    #expect(states.last == false && !age.validationState.isValid)
    age.importValue(3)
    #expect(states.last == true && age.value == 3)
    withExtendedLifetime(registration) {}
  }

  @Test("A raw value without a case keeps the old value and says which it was")
  func unknownRawValue() {
    let surface = Field<Surface>("surface", value: .water)
    #expect(surface.importValue("lava") == .refused(.unknownValue("lava")))
    #expect(surface.value == .water)
    #expect(surface.issues.map(\.code) == ["unknownValue"])
    #expect(surface.issues.first?.parameters == ["value": "lava"])
    let grade = Field<Grade>("grade", value: .low)
    grade.importValue(17)
    #expect(grade.value == .low && grade.issues == [.unknownValue("17")])
    grade.importValue("2")
    #expect(grade.issues == [.malformed(expected: "integer", found: "2")])
  }

  @Test("An enum that has adopted nothing is transformed by raw value where it is asked for")
  func rawValue() throws {
    enum Plain: String { case one, two }
    let field = Field<Plain>("plain").transform(with: .rawValue)
    field.importValue("two")
    #expect(field.value == .two)
    #expect(try field.exportValue() == "two")
  }

  @Test("A malformed element refuses the array, and the issue's path leads to it")
  func elementPath() {
    let grid = Field<[[Int]]>(value: [[9]])
    grid.importValue([[1], [2, "x"]])
    #expect(grid.value == [[9]])
    #expect(grid.issues.first?.path == ["1", "1"])
    #expect(grid.issues.first?.parameters["found"] == "\"x\"")
    grid.importValue([[1], nil])
    #expect(grid.issues.first?.path == ["1"])
  }

  @Test("A custom transformer is named, makes nil of what means nil, and its errors become issues")
  func custom() throws {
    let visits = Field<Int>("visits").transform(
      with: .custom(
        name: "tally",
        import: { json in
          guard case .string(let text) = json else { throw MessageError("Tallies are strings.") }
          if text == "none" { return nil }
          guard text.allSatisfy({ $0 == "|" }) else {
            throw FieldIssue(code: "notATally", parameters: ["text": text], source: .code)
          }
          return text.count
        },
        export: { .string(String(repeating: "|", count: $0)) }))
    visits.importValue("|||")
    #expect(visits.value == 3)
    #expect(try visits.exportValue() == "|||")
    visits.importValue(4)
    #expect(visits.value == 3)
    #expect(
      visits.issues.first?.parameters
        == ["expected": "tally", "found": "4", "reason": "Tallies are strings."])
    visits.importValue("||x")
    #expect(visits.issues.map(\.code) == ["notATally"])
    #expect(visits.issues.map(\.source) == [.importing])
    visits.importValue("none")
    #expect(visits.phase == .loaded(nil) && visits.issues.isEmpty)
  }

  @Test("A field of a type without a transformer says so, at import and at export")
  func noTransformer() {
    let field = Field<Opaque>("opaque", value: Opaque())
    #expect(field.importValue(1) == .refused(.noTransformer(for: Opaque.self)))
    #expect(field.issues.first?.parameters == ["type": "Opaque"])
    #expect(field.value == Opaque())
    #expect(throws: FieldIssue.noTransformer(for: Opaque.self)) { try field.exportValue() }
    #expect(field.importValue(.null) == .imported)
    #expect(field.phase == .loaded(nil))
  }

  @Test("The items of an array field are transformed as its inner field says")
  func arrayField() throws {
    let days = *Field<Date>("Day").transform(with: .date(format: "yyyy-MM-dd"))
    days.importValue(["2001-01-01", "2001-01-02"])
    #expect(days.value?.map(\.timeIntervalSinceReferenceDate) == [0, 86_400])
    #expect(try days.exportValue() == ["2001-01-01", "2001-01-02"])
    days.importValue(["2001-01-01", "soon"])
    #expect(days.count == 2 && days.issues.first?.path == ["1"])
    let joined = (*Field<Int>("Number")).transform(
      with: .custom(
        name: "list", import: { _ in [1, 2] }, export: { _ in "1,2" }))
    joined.importValue("whatever")
    #expect(joined.value == [1, 2])
    #expect(try joined.exportValue() == "1,2")
  }

  @Test("A float is written with its own few digits, a decimal with all of its digits")
  func digits() throws {
    #expect(try Field<Float>(value: 0.1).exportValue() == 0.1)
    #expect(try Field<Float>(value: .greatestFiniteMagnitude).exportValue() == 3.4028235e38)
    let long = "1234567890.12345678901234567890123456"
    let decimal = Field<Decimal>()
    decimal.importValue(.string(long))
    #expect(try decimal.exportValue() == .string(long))
  }

  @Test("What can't be written without loss is an error at export")
  func notRepresentable() {
    #expect(throws: FieldIssue.notRepresentable("inf", expected: "number")) {
      try Field<Double>(value: .infinity).exportValue()
    }
    #expect(throws: FieldIssue.self) { try Field<Float>(value: .nan).exportValue() }
    #expect(throws: FieldIssue.self) { try Field<Decimal>(value: .nan).exportValue() }
    #expect(throws: FieldIssue.self) { try Field<[Double]>(value: [1, .nan]).exportValue() }
    for seconds in [1e300, -1e300, .nan, .infinity, 1e12, -1e12] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      #expect(throws: FieldIssue.self) { try Field<Date>(value: date).exportValue() }
      let formatted = Field<Date>(value: date).transform(with: .date(format: "yyyy-MM-dd HH:mm"))
      _ = try? formatted.exportValue()
    }
  }

  @Test("Whole numbers of all widths are read and written, and those out of range are malformed")
  func wholeNumbers() throws {
    func check<Value: FixedWidthInteger & Sendable>(_ type: Value.Type) throws {
      let field = Field<Value>("Number")
      for number in [0, 100, Value(clamping: Int64.min), Value(clamping: Int64.max)] {
        field.value = number
        let json = try field.exportValue()
        #expect(json == .integer(Int64(number)))
        field.value = 1
        #expect(field.importValue(json) == .imported && field.value == number)
      }
      let outside: [JSONValue] = [
        .double(1e30), .double(0.5), .string("1"),
        Value.isSigned ? .double(-1e30) : .integer(-1),
        Value.bitWidth < 64 ? .integer(.max) : .bool(true),
      ]
      for json in outside {
        field.value = 1
        field.importValue(json)
        #expect(field.value == 1)
        #expect(field.issues.map(\.code) == ["malformed"])
      }
    }
    try check(Int.self)
    try check(Int8.self)
    try check(Int16.self)
    try check(Int32.self)
    try check(Int64.self)
    try check(UInt.self)
    try check(UInt8.self)
    try check(UInt16.self)
    try check(UInt32.self)
    try check(UInt64.self)
    #expect(throws: FieldIssue.self) {
      try UInt64.defaultTransformer.exporting(UInt64(Int64.max) + 1)
    }
  }
}
