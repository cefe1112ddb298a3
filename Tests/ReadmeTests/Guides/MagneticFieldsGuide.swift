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
    var added: [String] = []
    var removed: [String] = []
    // snippet: magnetic-array-items
    let registration = tags.observe { change in
      let (old, new) = (change.old ?? [], change.new ?? [])
      for item in new.difference(from: old) {
        switch item {
        case .insert(_, let value, _): added.append(value)
        case .remove(_, let value, _): removed.append(value)
        }
      }
    }
    tags.value = ["coastal"]
    // end
    #expect(added == ["coastal"] && removed == ["alpine"])
    tags.value = ["alpine"]
    withExtendedLifetime(registration) {}
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

  @Test("A rule over a part, what is required, and errors from outside")
  func moreRules() {
    // snippet: magnetic-more-rules
    let title = Field<String>("Title")
      .require(.notNil)
      .require(.of(\.count, .range(1...20)))  // a rule over a transformed value
    title.value = "Ada"
    title.validateIfNeeded()  // asks the rules only where something has changed
    title.addIssue(FieldIssue("is taken already"))  // until the next set or validation
    let messages = title.validationState.issues.map(\.text)
    title.resetValidation()  // .unknown, and without the issue
    // end
    #expect(messages == ["is taken already"] && title.validationState == .unknown)
    #expect(title.issues.isEmpty && title.isValid)
    title.value = nil
    #expect(title.validate().issues.map(\.text) == ["is required"])
  }

  @Test("Enums, transformers and dictionaries")
  func dictionaries() throws {
    // snippet: magnetic-transform
    enum Surface: String, DefaultTransformable { case asphalt, grass }

    let surface = Field<Surface>("surface", order: 2)
    let length = Field<Int>("length", order: 1)
      .transform(
        with: .custom(
          name: "metres",
          import: { json in
            guard case .string(let text) = json else {
              throw FieldIssue.malformed(expected: "metres", found: json)
            }
            return Int(text.dropLast(2))
          },
          export: { .string("\($0) m") })
      )
      .transform(with: Int.defaultTransformer, named: "csv")
    // end
    // snippet: magnetic-dictionary
    let dictionary: [String: JSONValue] = ["surface": "grass", "length": "900 m"]
    surface.importValue(dictionary["surface"])
    length.importValue(dictionary["length"])
    var row: [String: JSONValue] = [:]
    row["length"] = try length.exportValue(with: "csv")  // 900
    row["surface"] = try surface.exportValue(with: "csv")  // "grass": it has no other one
    let untyped = JSONValue.object(row).untyped as? [String: Any]
    // end
    #expect(surface.value == .grass && length.value == 900)
    #expect(row == ["length": 900, "surface": "grass"])
    #expect(untyped?["length"] as? Int64 == 900)
    #expect(try length.exportValue() == "900 m")
    #expect([surface, length as AnyField].sorted { $0.order < $1.order }[0] === length)
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

  @Test("A conversion between two fields, and a comparison")
  func conversions() {
    // snippet: magnetic-convert
    let (number, text) = (Field<Int>(value: 7), Field<String>())
    number --> .converting { "\($0)" } --> text
    let isSeven = number == 7 && text == "7"
    // end
    #expect(isSeven)
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
    let age = Field<Int>("Age")  // .idle
    age.beginLoading()  // .loading(previous: nil): time for a spinner
    age.value = nil  // .loaded(nil): known to be nil
    age.fail(with: MessageError("No network."))  // .failed, and the value stays
    // end
    #expect(age.phase.error is MessageError && age.isKnown && age.value == nil)
  }
}
