import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Testing

@Suite("What is delivered, when, and as what")
struct DeliveryOrderTests {
  private struct Stop: Error {}

  @Test("A derived field has changed before what an observer of its source sets")
  func derivedBeforeSets() {
    let (source, other) = (Field<Int>(value: 0), Field<Int>(value: 0))
    let double = DerivedField(source) { $0.map { 2 * $0 } }
    var heard: [String] = []
    source --> { value in if value == 1 { other.value = 1 } }
    other --> { heard.append("other \($0 ?? -1)") }
    double --> { heard.append("double \($0 ?? -1)") }
    heard = []
    source.value = 1
    #expect(heard == ["double 2", "other 1"])
  }

  @Test("A derived field that is made of nothing is known to be nothing")
  func derivedNil() {
    let source = Field<Int>(value: 0)
    let nothing = DerivedField(source) { _ -> Int? in nil }
    #expect(nothing.isKnown)
  }

  @Test("An equal set that waits behind a change is heard as what it is")
  func equalSetsWait() {
    let (start, field) = (Field<Int>(), Field<Int>(value: 0))
    var changes: [Int?] = []
    let every = Recorder<Int?>()
    field --> { changes.append($0) }
    let registration = field.observe(everySet: true) { every.record($0.new) }
    start --> { value in
      guard value != nil else { return }
      field.value = 1
      field.value = 1
      field.value = 2
    }
    start.value = 1
    #expect(changes == [0, 1, 2])
    #expect(every.elements == [0, 1, 1, 2])
    withExtendedLifetime(registration) {}
  }

  @Test("A binding hands on changes, and not the equal sets that an observer beside it hears")
  func equalSetsAndBindings() {
    let (source, target) = (Field<Int>(value: 1), Field<Int>())
    source --> target
    let every = Recorder<Int?>()
    let registration = source.observe(everySet: true) { every.record($0.new) }
    source.value = 1
    #expect(every.elements == [1, 1])
    #expect(target.revision == 1)
    withExtendedLifetime(registration) {}
  }

  @Test("A change says where it came from, over a binding and after a batch, too")
  func origins() {
    let (source, target) = (Field<Int>(), Field<Int>())
    source --> target
    let origins = Recorder<ChangeOrigin>()
    let registrations = [source, target].map { $0.observe { origins.record($0.origin) } }
    source.set(1, origin: .user)
    Fields.batch { source.set(2, origin: .importing) }
    #expect(
      origins.elements == [
        .registration, .registration, .user, .binding, .importing, .binding,
      ])
    withExtendedLifetime(registrations) {}
  }

  @Test("Both ways from a left one that is known to be nil: the right one knows it, too")
  func bothWaysFromNil() {
    let (left, right) = (Field<Int>(), Field<Int>())
    left.value = nil
    left <--> right
    #expect(right.isKnown)
  }

  @Test("What follows a field since a transaction follows it after that was taken back")
  func takenBack() {
    let field = Field<Int>(value: 1)
    let states = Recorder<Void>()
    let registration = field.observePhase { _ in states.record(()) }
    var double: DerivedField<Int>?
    let other = Field<Int>(value: 1)
    #expect(throws: Stop.self) {
      try Fields.transaction {
        field.value = 2
        other.value = 2
        double = DerivedField(other) { $0.map { 2 * $0 } }
        throw Stop()
      }
    }
    // The value was another one, the state never was.
    #expect(states.elements.isEmpty)
    other.value = 3
    let doubled = double.flatMap { $0.value }
    #expect(doubled == 6)
    withExtendedLifetime(registration) {}
  }

  @Test("An array field has the time of the field it is made from")
  func arrayTime() {
    let time = ManualTime()
    let tags = *Field<String>("Tag", time: time.source)
    tags.value = ["a"]
    #expect(tags.updatedAt == time.now)
  }
}
