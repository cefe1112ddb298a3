import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Observation
import Testing

@Suite("Tracked reads")
struct TrackingTests {
  /// How often a tracked read of something is told to be out of date by a change.
  private func invalidations(reading read: () -> Void, by change: () -> Void) -> Int {
    let recorder = Recorder<Void>()
    withObservationTracking(read) { recorder.record(()) }
    change()
    return recorder.count
  }

  @Test("A read of the value, the state or the issues follows what changes it")
  func followed() {
    let age = Field<Int>("Age", value: 1).tracked()
    #expect(age.isTracked)
    #expect(invalidations(reading: { _ = age.value }, by: { age.value = 2 }) == 1)
    #expect(invalidations(reading: { _ = age.phase }, by: { age.beginLoading() }) == 1)
    #expect(
      invalidations(reading: { _ = age.phase }, by: { age.fail(with: MessageError("")) }) == 1)
    #expect(
      invalidations(reading: { _ = age.issues }, by: { age.addIssue(FieldIssue(code: "a")) }) == 1)
    #expect(invalidations(reading: { _ = age.issues }, by: { age.removeIssues() }) == 1)
  }

  @Test("What was not read is not followed, and what is not tracked costs nothing")
  func notFollowed() {
    let (age, name) = (Field<Int>().tracked(), Field<String>())
    #expect(invalidations(reading: {}, by: { age.value = 1 }) == 0)
    #expect(invalidations(reading: { _ = name.value }, by: { name.value = "a" }) == 0)
    #expect(!name.isTracked)
  }

  @Test("A rollback, a binding and a derivation are followed, too")
  func followedIndirectly() {
    let source = Field<Int>(value: 1)
    let target = Field<Int>().tracked()
    let double = DerivedField(source) { ($0 ?? 0) * 2 }.tracked()
    source --> target
    #expect(invalidations(reading: { _ = target.value }, by: { source.value = 2 }) == 1)
    #expect(invalidations(reading: { _ = double.value }, by: { source.value = 3 }) == 1)
    let rolledBack = invalidations(reading: { _ = target.value }) {
      try? Fields.transaction {
        target.value = 9
        throw MessageError("back")
      }
    }
    #expect(rolledBack == 1 && target.value == 3)
  }

  @Test("A rollback is followed by who began to read inside the transaction")
  func rollback() {
    let age = Field<Int>(value: 1).tracked()
    let double = DerivedField(age) { ($0 ?? 0) * 2 }.tracked()
    let recorder = Recorder<String>()
    #expect(throws: MessageError.self) {
      try Fields.transaction {
        age.value = 9
        withObservationTracking {
          _ = age.value
        } onChange: {
          recorder.record("age")
        }
        withObservationTracking {
          _ = double.value
        } onChange: {
          recorder.record("double")
        }
        throw MessageError("back")
      }
    }
    #expect(age.value == 1 && double.value == 2)
    #expect(Set(recorder.elements) == ["age", "double"] && recorder.count == 2)
  }

  @Test("It is told before the value changes, as Observation has it")
  func before() {
    let age = Field<Int>(value: 1).tracked()
    // The closure is called by the set, where the field lives.
    nonisolated(unsafe) let field = age
    let recorder = Recorder<Int?>()
    withObservationTracking {
      _ = age.value
    } onChange: {
      recorder.record(field.value)
    }
    age.value = 2
    #expect(recorder.elements == [1])
  }

  @Test("A tracked field delivers as any other")
  func delivers() {
    let age = Field<Int>(value: 0).tracked()
    var heard: [Int?] = []
    let registration = age.observe { [unowned age] change in
      heard.append(change.new)
      if change.new == 1 { age.value = 2 }
    }
    age.value = 1
    #expect(heard == [0, 1, 2])
    withExtendedLifetime(registration) {}
  }
}

@Suite("Fields as asynchronous sequences")
struct FieldSequenceTests {
  @Test("Every change comes, the value as it was first")
  func everyChange() async {
    let age = Field<Int>(value: 1)
    var iterator = age.changes().makeAsyncIterator()
    age.value = 2
    age.value = 2
    age.value = 3
    var values: [Int?] = []
    for _ in 0..<3 {
      if case .change(let change) = await iterator.next() { values.append(change.new) }
    }
    #expect(values == [1, 2, 3])
  }

  @Test("What is too much is lost from the oldest on, and counted")
  func overflow() async {
    let age = Field<Int>(value: 0)
    var iterator = age.changes(limit: 2).makeAsyncIterator()
    for number in 1...5 { age.value = number }
    var heard: [String] = []
    for _ in 0..<3 {
      switch await iterator.next() {
      case .change(let change): heard.append("\(change.new!)")
      case .missed(let count): heard.append("missed \(count)")
      case nil: heard.append("end")
      }
    }
    #expect(heard == ["missed 4", "4", "5"])
  }

  @Test("Of the values, the latest comes")
  func latest() async {
    let age = Field<Int>(value: 0)
    var iterator = age.values().makeAsyncIterator()
    for number in 1...5 { age.value = number }
    let first = await iterator.next()
    #expect(first == .some(.some(5)))
    age.value = nil
    let second = await iterator.next()
    #expect(second == .some(.none))
  }

  @Test("A sequence that is let go is no observer any more, and one whose field is gone ends")
  func endings() async {
    var age: Field<Int>? = Field(value: 0)
    do {
      let changes = age!.changes()
      #expect(age!.observerCount == 1)
      withExtendedLifetime(changes) {}
    }
    #expect(age!.observerCount == 0)
    var iterator = age!.values().makeAsyncIterator()
    age = nil
    #expect(await iterator.next() == .some(.some(0)))
    #expect(await iterator.next() == nil)
  }

  @Test("It can be read on another actor")
  func elsewhere() async {
    let age = Field<Int>(value: 1)
    let values = age.values()
    let task = Task { @MainActor in
      for await value in values where value == 2 { return true }
      return false
    }
    age.value = 2
    #expect(await task.value)
  }
}
