import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Testing

@Suite("What is registered inside a transaction that is taken back")
struct NewcomerTests {
  private struct Stop: Error {}

  private func takeBack(_ body: () throws -> Void) {
    #expect(throws: Stop.self) {
      try Fields.transaction {
        try body()
        throw Stop()
      }
    }
  }

  @Test("An observer hears the value that is there again, and those before it hear nothing")
  func observer() {
    let field = Field<Int>(value: 1)
    var (old, new) = ([Int?](), [Int?]())
    var origins: [ChangeOrigin] = []
    field --> { old.append($0) }
    var registrations: [Registration] = []
    takeBack {
      field.value = 5
      field --> { new.append($0) }
      registrations.append(field.observe { origins.append($0.origin) })
      let released = field.observe { _ in new.append(-1) }
      released.cancel()
      new.removeAll { $0 == -1 }
      field.value = 6
    }
    #expect(old == [1] && new == [5, 1] && origins == [.registration, .restoring])
    field.value = 2
    #expect(old == [1, 2] && new == [5, 1, 2])
    withExtendedLifetime(registrations) {}
  }

  @Test("One that heard the value that is there again, or came in a batch that held, hears nothing")
  func nothingToCorrect() {
    let field = Field<Int>(value: 1)
    var heard: [Int?] = []
    takeBack {
      field --> { heard.append($0) }
      field.value = 5
    }
    #expect(heard == [1])
    Fields.transaction {
      takeBack { field.value = 7 }
      field --> { heard.append($0) }
    }
    #expect(heard == [1, 1])
  }

  @Test("One that comes in a batch hears once the value that the batch leaves")
  func heardOnce() {
    let field = Field<Int>(value: 1)
    var heard: [Int?] = []
    Fields.batch {
      field.value = 2
      field --> { heard.append($0) }
    }
    #expect(heard == [2])
    Fields.batch {
      field.value = 3
      field --> { heard.append($0.map { -$0 }) }
      field.value = 4
    }
    #expect(heard == [2, -3, 4, -4])
  }

  @Test("One that comes in a batch which ends where it began hears that, as does a bound field")
  func takenBackByHand() {
    let (field, target) = (Field<Int>(value: 1), Field<Int>())
    var heard: [Int?] = []
    Fields.batch {
      field.value = 2
      field --> { heard.append($0) }
      field --> target
      field.value = 1
    }
    #expect(heard == [2, 1] && target.value == 1)
    let revision = target.revision
    Fields.batch { field --> { heard.append($0) } }
    #expect(heard == [2, 1, 1] && target.revision == revision)
  }

  @Test("A value that was not known before is unknown again, and is heard as nil")
  func unknown() {
    let (field, target) = (Field<Int>(), Field<Int>(value: 9))
    var heard: [Int?] = []
    takeBack {
      field.value = 5
      field --> { heard.append($0) }
      field --> target
      #expect(target.value == 5)
    }
    #expect(heard == [5, nil] && target.value == 9 && !field.isKnown)
  }

  @Test("A binding holds: its target has the source's value", arguments: [true, false])
  func binding(isSet: Bool) {
    let (source, target, text) = (Field<Int>(value: 1), Field<Int>(value: 9), Field<String>())
    let (left, right) = (Field<Int>(value: 1), Field<Int>(value: 2))
    takeBack {
      if isSet { source.value = 5 }
      source --> target
      source.bind(to: text) { "\($0)" }
      left <--> right
    }
    #expect(target.value == 1 && text.value == "1")
    #expect(left.value == 2 && right.value == 2)
    source.value = 3
    #expect(target.value == 3 && text.value == "3")
  }

  @Test("A transaction inside another one corrects for its part, and so does the outer one")
  func nested() {
    let field = Field<Int>(value: 1)
    var heard: [Int?] = []
    takeBack {
      field.value = 2
      takeBack {
        field.value = 3
        field --> { heard.append($0) }
      }
      #expect(heard == [3, 2])
    }
    #expect(heard == [3, 2, 1])
  }

  @Test("An observer of a derived field hears once what it is again")
  func derived() {
    let source = Field<Int>(value: 1)
    let double = DerivedField(source) { ($0 ?? 0) * 2 }
    var heard: [Int?] = []
    takeBack {
      source.value = 5
      double --> { heard.append($0) }
    }
    #expect(heard == [10, 2])
  }

  @Test("A revision never goes back, and each stands for one value")
  func revisions() {
    let field = Field<Int>(value: 1)
    var seen: [Int: Int?] = [field.revision: 1]
    takeBack {
      field.value = 2
      seen[field.revision] = 2
    }
    #expect(field.revision == 3 && seen[3] == nil)
    var count = 0
    let registration = field.observe(everySet: true) { _ in count += 1 }
    Fields.batch {
      field.addIssue(FieldIssue("is looked at"))
      takeBack { field.value = 5 }
    }
    #expect(count == 1, "what was taken back is no set")
    withExtendedLifetime(registration) {}
  }
}

@Suite("Loops inside of an observer")
struct LoopTests {
  @Test("Fields that a loop sets are delivered in it, after what waits, and in their order")
  func delivered() {
    let (trigger, before, inside) = (Field<Int>("t"), Field<Int>("b"), Field<Int>("i"))
    var heard: [String] = []
    before --> { heard.append("before \($0 ?? 0)") }
    inside --> { heard.append("inside \($0 ?? 0)") }
    trigger --> { value in
      guard value == 1 else { return }
      before.value = 1
      Fields.deliverInside {
        heard.append("loop")
        inside.value = 1
        heard.append("set")
      }
      inside.value = 2
      heard.append("after")
    }
    heard = []
    trigger.value = 1
    #expect(
      heard == ["before 1", "loop", "inside 1", "set", "after", "inside 2"])
  }

  @Test("An observer that heard the newer value inside does not hear the older one")
  func overtaken() {
    let field = Field<Int>(value: 0)
    var (first, second, every) = ([Int?](), [Int?](), [Int?]())
    field --> { [weak field] value in
      first.append(value)
      if value == 1 { Fields.deliverInside { field?.value = 2 } }
    }
    field --> { second.append($0) }
    let registration = field.observe(everySet: true) { every.append($0.new) }
    field.value = 1
    #expect(first == [0, 1, 2] && second == [0, 2] && every == [0, 2])
    field.value = 3
    field.value = 1
    #expect(second == [0, 2, 3, 2] && field.value == 2)
    withExtendedLifetime(registration) {}
  }

  @Test("An equal set inside overtakes nothing")
  func equalSet() {
    let field = Field<Int>(value: 0)
    var second: [Int?] = []
    field --> { [weak field] value in
      if value == 1 { Fields.deliverInside { field?.value = 1 } }
    }
    field --> { second.append($0) }
    field.value = 1
    #expect(second == [0, 1])
  }

  @Test("Loops inside of loops, bodies that throw, and places without a delivery")
  func nested() throws {
    struct Stop: Error {}
    let (outer, inner, last) = (Field<Int>(), Field<Int>(), Field<Int>())
    var heard: [String] = []
    last --> { heard.append("last \($0 ?? 0)") }
    inner --> { value in
      guard value != nil else { return }
      Fields.deliverInside { last.value = value }
      heard.append("inner")
    }
    outer --> { value in
      guard value != nil else { return }
      #expect(throws: Stop.self) {
        try Fields.deliverInside {
          inner.value = value
          throw Stop()
        }
      }
      heard.append("outer")
    }
    heard = []
    outer.value = 1
    #expect(heard == ["last 1", "inner", "outer"])
    #expect(Fields.deliverInside { 5 } == 5)
    heard = []
    Fields.batch {
      Fields.deliverInside { last.value = 7 }
      #expect(heard == [])
    }
    #expect(heard == ["last 7"])
  }
}
