import Fieldstone
import FieldstoneTesting
import Foundation
import Testing

@Suite("Guide: from MagneticFields")
struct MagneticFieldsGuide {
  @Test("A field in a class")
  func fields() {
    // snippet: magnetic-field
    final class Person {
      let age = Field<Int>("Age")
    }

    let person = Person()
    person.age.value = 10
    // end
    #expect(person.age.value == 10)
  }

  @Test("Several values")
  func arrays() {
    // snippet: magnetic-array
    let tag = Field<String>("Tag").require(.length(...10))
    let tags = ArrayField(tag, name: "Tags")
    let same = *Field<String>("Tags").require(.length(...10))
    tags.append("alpine")
    // end
    #expect(tags.value == ["alpine"] && tags.name == "Tags" && tags.element === tag)
    same.value = ["much too long"]
    #expect(same.name == "Tags" && !same.isValid)
  }

  @Test("Rules")
  func rules() {
    // snippet: magnetic-rules
    let age = Field<Int>("Age")
      .require(.greaterThan(0))
      .require(message: "must be even") { $0 % 2 == 0 }
    let name = Field<String>("Name").require(allowNil: false) { $0.count < 60 }

    age.value = -3
    var messages: [String] = []
    switch age.validate() {
    case .valid, .unknown, .validating: break
    case .invalid(let issues): messages = issues.map(\.text)
    }
    let isComplete = age.isValid && name.isValid  // asks the rules if it has to
    // end
    #expect(messages == ["must be greater than 0", "must be even"] && !isComplete)
    age.value = nil
    #expect(age.isValid, "nil passes unless told otherwise")
    #expect(name.validate().issues.map(\.text) == ["is required"])
  }

  @Test("Timestamps")
  func timestamps() throws {
    let time = ManualTime()
    // snippet: magnetic-timestamps
    let age = Field<Int>("Age", time: time.source)  // without one: the clock of the system
    age.value = 10
    time.advance(by: .seconds(60))
    age.value = 10  // equal: an update, and no change
    let updated = age.updatedAt
    let changed = age.changedAt
    // end
    #expect(try #require(updated).timeIntervalSince(try #require(changed)) == 60)
  }

  @Test("Observers")
  func observers() {
    // snippet: magnetic-observers
    final class AgeLog: ValueObserver {
      var ages: [Int?] = []
      func receive(_ value: Int?) { ages.append(value) }
    }

    let (age, log) = (Field<Int>("Age"), AgeLog())
    var heard: [Int?] = []
    age --> log  // an object that observes
    age.observe(owner: log) { log, change in heard.append(change.new) }  // for as long as it lives
    age --> { value in heard.append(value) }  // for as long as the field lives
    age.value = 10
    // end
    #expect(log.ages == [nil, 10] && heard == [nil, nil, 10, 10])

    // snippet: magnetic-unregister
    age -/-> log  // the object, and all closures that it owns
    let registration = age.observe(everySet: true) { heard.append($0.new) }
    registration.cancel()  // one closure; releasing the registration does the same
    age.removeAllObservers()
    // end
    age.value = 11
    #expect(log.ages == [nil, 10] && heard == [nil, nil, 10, 10, 10])
  }

  @Test("Equal sets can be heard")
  func equalSets() {
    // snippet: magnetic-every-set
    let age = Field<Int>("Age")
    var heard: [Int?] = []
    let registration = age.observe(everySet: true) { heard.append($0.new) }
    age.value = 10
    age.value = 10  // heard, too
    // end
    #expect(heard == [nil, 10, 10])
    withExtendedLifetime(registration) {}
  }

  @Test("Bindings")
  func bindings() {
    // snippet: magnetic-bindings
    let (source, destination) = (Field<Int>(value: 1), Field<Int>())
    let (left, right) = (Field<Int>(value: 2), Field<Int>(value: 3))
    source --> destination  // destination is 1
    left <--> right  // both are 3
    source.value = 4
    left.value = 5
    // end
    #expect(destination.value == 4 && right.value == 5)
  }

  @Test("A source of one's own")
  func source() {
    // snippet: magnetic-source
    final class SearchBox: ValueSource {
      let valueObservers = ValueObservers<String>()
      var value: String? { didSet { valueObservers.notify(value) } }
    }

    let (box, query) = (SearchBox(), Field<String>("Query"))
    box --> query
    box.value = "Vienna"
    // end
    #expect(query.value == "Vienna")
  }

  @Test("What is known")
  func loadState() {
    // snippet: magnetic-load-state
    let age = Field<Int>("Age")  // .notLoaded
    age.beginLoading()  // .loading(previous: nil): time for a spinner
    age.value = nil  // .loaded(nil): known to be nil
    age.fail(with: MessageError("No network."))  // .failed, and the value stays
    // end
    #expect(age.state.error is MessageError && age.isKnown && age.value == nil)
  }
}
