import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Foundation
import Testing

@Suite("A field")
struct FieldTests {
  @Test("It has a name, a key and an order; the key is the name unless given")
  func names() {
    let tag = Field<String>("Tag", order: 3)
    #expect(tag.name == "Tag" && tag.key == "Tag" && tag.order == 3)
    let keyed = Field<String>("Tag", key: "tag_name")
    #expect(keyed.name == "Tag" && keyed.key == "tag_name" && keyed.order == 0)
    let bare = Field<String>()
    #expect(bare.name == "" && bare.key == "" && bare.order == 0)
    bare.name = "Late"
    #expect(bare.key == "Late")
  }

  @Test("Nothing is known at first, and a nil that is set is known")
  func notLoadedAndNil() {
    let age = Field<Int>()
    #expect(age.phase == .idle && !age.isKnown && age.value == nil)
    age.value = nil
    #expect(age.phase == .loaded(nil) && age.isKnown)
    age.value = 10
    #expect(age.phase == .loaded(10))
    #expect(Field<Int>("Age", value: 4).phase == .loaded(4))
    #expect(Field(value: 4).phase == .loaded(4))
  }

  @Test("Loading and failing keep the value; setting ends both")
  func loadStates() {
    struct Offline: Error {}
    let age = Field<Int>()
    age.beginLoading()
    #expect(age.phase == .loading(previous: nil))
    age.value = 1
    #expect(age.phase == .loaded(1))
    age.beginLoading()
    #expect(age.phase == .loading(previous: 1) && age.value == 1)
    age.fail(with: Offline())
    #expect(age.phase.error is Offline && age.phase.value == 1 && age.value == 1)
    age.beginLoading()
    #expect(age.phase.isLoading)
    age.cancelLoading()
    #expect(age.phase == .loaded(1))
    age.fail(with: Offline())
    age.value = 1
    #expect(age.phase == .loaded(1))
  }

  @Test("Those who watch the state hear loading begin, fail and end, and equal sets only then")
  func stateObservers() {
    let age = Field<Int>(value: 1)
    var heard: [LoadPhase<Int?>] = []
    let registration = age.observePhase { heard.append($0) }
    age.value = 2
    age.beginLoading()
    age.value = 2
    age.fail(with: MessageError("no"))
    #expect(heard.count == 3)
    #expect(heard[0] == .loading(previous: 2) && heard[1] == .loaded(2))
    #expect(heard[2].error != nil)
    registration.cancel()
    age.beginLoading()
    #expect(heard.count == 3)
  }

  @Test("An equal set moves updatedAt and the revision; another value moves changedAt, too")
  func timestamps() {
    let time = ManualTime()
    let age = Field<Int>("Age", time: time.source)
    #expect(age.updatedAt == nil && age.changedAt == nil && age.revision == 0)
    time.advance(by: .seconds(1))
    age.value = 1
    let first = time.now
    #expect(age.updatedAt == first && age.changedAt == first && age.revision == 1)
    time.advance(by: .seconds(1))
    age.value = 1
    #expect(age.updatedAt == time.now && age.changedAt == first && age.revision == 2)
    time.advance(by: .seconds(1))
    age.value = 2
    #expect(age.updatedAt == time.now && age.changedAt == time.now && age.revision == 3)
  }

  @Test("A nil that becomes known is a change")
  func knownNilIsAChange() {
    let time = ManualTime()
    let age = Field<Int>("Age", time: time.source)
    var count = 0
    age.observe(owner: time) { _, change in if change.origin != .registration { count += 1 } }
    age.value = nil
    #expect(age.changedAt == time.now && count == 1)
    age.value = nil
    #expect(count == 1)
  }

  @Test("Issues that were added go with the next set")
  func issues() {
    let age = Field<Int>("Age", value: 1)
    age.addIssue(FieldIssue(code: "odd", source: .server))
    #expect(age.issues.map(\.code) == ["odd"])
    age.value = 1
    #expect(age.issues.isEmpty)
    age.addIssue(FieldIssue(code: "odd"))
    age.removeIssues()
    #expect(age.issues.isEmpty)
  }

  @Test("A field can be made elsewhere and be sent to the main actor with its owner")
  func sentToTheMainActor() async {
    final class Person {
      let age = Field<Int>("Age")
      init() { age.value = 5 }
    }
    let person = Person()
    let age = await Task { @MainActor in
      person.age.value = 6
      return person.age.value
    }.value
    #expect(age == 6)
  }
}
