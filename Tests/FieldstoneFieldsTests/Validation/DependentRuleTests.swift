import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Testing

@Suite("Rules that look at other fields")
struct DependentRuleTests {
  struct Trouble: Error {}

  let password = Field<String>("Password", value: "a")
  let again = Field<String>("Password again", value: "a")

  @Test("Equal to another field, nil included, with its name in the text")
  func equal() {
    again.require(.equal(to: password))
    #expect(again.validate() == .valid)
    #expect(
      again.texts(of: "b") == [
        "must be the same as Password", "muss gleich sein wie Password",
      ])
    #expect(again.codes(of: nil) == ["notEqual"])
    password.value = nil
    #expect(again.validationState == .valid)
    #expect(again.codes(of: "x") == ["notEqual"])
  }

  @Test("Nil can be allowed or refused whatever the other field is")
  func equalNil() {
    again.require(.equal(to: password), allowNil: true)
    #expect(again.codes(of: nil) == [])
    #expect(again.codes(of: "b") == ["notEqual"])
    let refusing = Field<String>().require(.equal(to: password), allowNil: false)
    #expect(refusing.codes(of: nil) == ["required"])
    password.value = nil
    #expect(refusing.codes(of: nil) == ["required"])
    let depending = Field<String>().require(
      .depending(on: password) { _, _ in false }, allowNil: false)
    #expect(depending.codes(of: nil) == ["required"])
  }

  @Test("Own words and severity are for dependent rules, too")
  func words() {
    again.require(.equal(to: password), message: "is not {other}", severity: .warning)
    again.value = "b"
    #expect(again.validate() == .valid)
    #expect(again.issues.map(\.english) == ["is not Password"])
  }

  @Test("A check gets the values of all fields that it declares; nil is not asked about")
  func depending() {
    let (low, high) = (Field<Int>(value: 1), Field<Int>("High"))
    let middle = Field<Int>().require(
      .depending(on: low, high, message: "must be in between", code: "between") {
        value, low, high in
        (low.map { value >= $0 } ?? true) && (high.map { value <= $0 } ?? true)
      })
    #expect(middle.codes(of: nil) == [])
    #expect(
      middle.codes(of: 0) == ["between"] && middle.issues.map(\.text) == ["must be in between"])
    #expect(middle.codes(of: 5) == [])
    high.value = 4
    #expect(middle.validationState.issues.map(\.code) == ["between"])
    low.value = 9
    high.value = 9
    #expect(middle.validationState.isInvalid)
    low.value = nil
    #expect(middle.validationState == .valid)
  }

  @Test("A check that throws could not be validated, or finds the issue that it throws")
  func throwing() {
    let one = Field<Int>(value: 1).require(.depending(on: password) { _, _ in throw Trouble() })
    #expect(one.validate().issues.map(\.code) == ["couldNotValidate"])
    let two = Field<Int>(value: 1).require(
      .depending(on: password) { _, _ in throw FieldIssue(code: "odd") })
    #expect(two.validate().issues.map(\.code) == ["odd"])
  }

  @Test("A change of the other field asks again, after a success and after a failure")
  func rerun() {
    again.require(.equal(to: password))
    again.validate()
    password.value = "b"
    #expect(again.validationState.isInvalid)
    password.value = "c"
    #expect(again.validationState.isInvalid)
    password.value = "a"
    #expect(again.validationState == .valid)
  }

  @Test("A field that was not validated is not validated by others")
  func notValidated() {
    let asked = Recorder<Int>()
    let field = Field<Int>(value: 1).require(
      .depending(on: password) { value, _ in
        asked.record(value)
        return true
      })
    password.value = "b"
    #expect(asked.count == 0 && field.validationState == .unknown)
    field.validate()
    #expect(asked.count == 1)
    field.value = 2
    password.value = "c"
    #expect(asked.count == 1 && field.validationState == .unknown)
  }

  @Test("An equal set of the other field changes nothing")
  func equalSet() {
    again.require(.equal(to: password))
    again.validate()
    password.value = "a"
    #expect(again.validationState == .valid)
    again.value = "b"
    again.validate()
    password.value = "a"
    #expect(again.validationState.isInvalid)
  }

  @Test("A source that is changed and changed back in a batch changes nothing")
  func backInBatch() {
    let asked = Recorder<Int>()
    let field = Field<Int>(value: 1).require(
      .depending(on: password) { value, _ in
        asked.record(value)
        return true
      })
    field.validate()
    Fields.batch {
      password.value = "b"
      #expect(field.validationState == .unknown)
      password.value = "a"
      #expect(field.validationState == .valid)
    }
    #expect(field.validationState == .valid && asked.count == 1)
  }

  @Test("Sources that change together are asked about once, at the end")
  func batch() {
    let asked = Recorder<[Int?]>()
    let (a, b) = (Field<Int>(value: 1), Field<Int>(value: 1))
    let field = Field<Int>(value: 1).require(
      .depending(on: a, b) { _, a, b in
        asked.record([a, b])
        return a == b
      })
    field.validate()
    Fields.batch {
      a.value = 2
      b.value = 3
      b.value = 2
    }
    #expect(field.validationState == .valid)
    // Once for each source that has changed, and never with one of them as it was.
    #expect(asked.elements.dropFirst().allSatisfy { $0 == [2, 2] })
  }

  @Test("However many rules look at a field, each is asked once for a change of it")
  func manyRules() {
    let asked = Recorder<Int>()
    let field = Field<Int>(value: 1)
    for index in 0..<1_000 {
      field.require(
        .depending(on: password) { _, _ in
          asked.record(index)
          return true
        })
    }
    let tags = *Field<Int>().require(
      .depending(on: password) { number, _ in
        asked.record(number)
        return true
      }
    ).require(.depending(on: password) { _, _ in true })
    tags.value = [-1]
    field.validate()
    tags.validate()
    asked.removeAll()
    password.value = "b"
    #expect(asked.elements == Array(0..<1_000) + [-1])
  }

  @Test("A transaction that is taken back leaves what is known", arguments: [true, false])
  func takenBack(isValidatedInside: Bool) {
    again.require(.equal(to: password))
    again.validate()
    try? Fields.transaction {
      password.value = "b"
      if isValidatedInside {
        #expect(again.validate().isInvalid)
      } else {
        #expect(again.validationState == .unknown)
      }
      throw Trouble()
    }
    #expect(again.validationState == .valid && again.issues.isEmpty)
    // Nothing that was found inside is remembered for the next value.
    Fields.batch {
      password.value = "c"
      #expect(again.validationState == .unknown)
      password.value = "a"
    }
    #expect(again.validationState == .valid)
  }

  @Test("The field itself may change together with its source")
  func both() {
    again.require(.equal(to: password))
    again.validate()
    Fields.batch {
      password.value = "b"
      again.value = "b"
    }
    #expect(again.validationState == .unknown && again.isValid)
    Fields.batch {
      again.value = "c"
      password.value = "c"
      again.value = "b"
    }
    #expect(again.validationState.isInvalid)
    password.value = "b"
    #expect(again.validationState == .valid)
  }

  @Test("A derived field can be looked at, too")
  func derived() {
    let (first, last) = (Field<String>(value: "Ada"), Field<String>(value: "Lovelace"))
    let full = DerivedField(first, last) { "\($0 ?? "") \($1 ?? "")" }
    let badge = Field<String>(value: "Ada Lovelace").require(.equal(to: full))
    #expect(badge.validate() == .valid)
    last.value = "Byron"
    #expect(badge.validationState.isInvalid)
    Fields.batch {
      last.value = "Lovelace"
      #expect(badge.validate() == .valid)
    }
    #expect(badge.validationState == .valid)
  }

  @Test("A field that both is bound and looks keeps looking when it is unbound")
  func unbound() {
    again.require(.equal(to: password))
    password --> again
    #expect(again.validate() == .valid)
    password -/-> again
    password.value = "b"
    #expect(again.validationState.isInvalid)
    password.removeAllObservers()
    password.value = "a"
    #expect(again.validationState == .valid)
  }

  @Test("Two fields may look at each other")
  func mutual() {
    let (low, high) = (Field<Int>(value: 1), Field<Int>(value: 2))
    low.require(.depending(on: high) { low, high in high.map { low <= $0 } ?? true })
    high.require(.depending(on: low) { high, low in low.map { high >= $0 } ?? true })
    #expect(low.validate() == .valid && high.validate() == .valid)
    low.value = 3
    #expect(high.validationState.isInvalid && low.validate().isInvalid)
    high.value = 4
    #expect(low.validationState == .valid && high.validate() == .valid)
  }

  @Test("Fields that look at each other, also by way of a derived one, let go of each other")
  func released() {
    weak var left: Field<Int>?
    do {
      let (low, high) = (Field<Int>(value: 1), Field<Int>(value: 2))
      let sum = DerivedField(low, high) { ($0 ?? 0) + ($1 ?? 0) }
      low.require(.depending(on: high, sum) { low, _, sum in low + (sum ?? 0) < 10 })
      high.require(.depending(on: low) { high, low in high != low }).require(.equal(to: sum))
      high.validate()
      low.validate()
      left = low
    }
    #expect(left == nil)
  }

  @Test("A field that is gone counts as nil, and its end makes what was known of others unknown")
  func gone() {
    let again = Field<String>(value: "a")
    var password: Field<String>? = Field<String>("Password", value: "a")
    if let password { again.require(.equal(to: password)) }
    #expect(again.validate() == .valid)
    password = nil
    #expect(again.validationState == .unknown)
    #expect(again.validate().issues.map(\.parameters) == [["other": "Password"]])
  }

  @Test("Several rules may look at one field")
  func several() {
    let asked = Recorder<Void>()
    for _ in 0..<2 {
      again.require(
        .depending(on: password) { _, _ in
          asked.record(())
          return true
        })
    }
    again.validate()
    #expect(asked.count == 2)
    password.value = "b"
    #expect(again.validationState == .valid)
  }

  @Test("Observers of a change see what the rules make of it, or that it is not known yet")
  func seenByObservers() {
    var seen: [ValidationState] = []
    let early = password.observe { [unowned again] _ in seen.append(again.validationState) }
    again.require(.equal(to: password))
    again.validate()
    seen = []
    let late = password.observe { [unowned again] _ in seen.append(again.validationState) }
    seen = []
    password.value = "b"
    #expect(seen.count == 2 && seen[0] == .unknown && seen[1].isInvalid)
    withExtendedLifetime([early, late]) {}
  }

  @Test("All arrays with the same inner field follow what its rules depend on, while they live")
  func sharedElement() {
    let most = Field<Int>("Most", value: 5)
    let element = Field<Int>("Number").require(.depending(on: most) { $0 <= $1 ?? .max })
    var arrays = (0..<20).map { _ in ArrayField(element, value: [3]) }
    for array in arrays { #expect(array.validate() == .valid) }
    arrays.removeFirst()
    most.value = 2
    #expect(arrays.count == 19 && arrays.allSatisfy { $0.validationState.isInvalid })
    most.value = 3
    #expect(arrays.allSatisfy { $0.validationState.isValid })
  }

  @Test("A field whose rules depend on many others is validated once for a batch")
  func manySources() {
    let rows = (0..<40).map { Field<Int>("Row \($0)", value: 1) }
    let total = Field<Int>("Total", value: 100)
    var checks = 0
    for row in rows {
      for _ in 0..<2 {
        total.require(
          .depending(on: row) { total, row in
            checks += 1
            return total >= row ?? 0
          })
      }
    }
    total.validate()
    checks = 0
    Fields.batch { for row in rows { row.value = 200 } }
    #expect(total.issues.count == 80 && checks == 80)
    rows[0].value = 2
    #expect(total.issues.count == 78 && checks == 160)
  }
}
