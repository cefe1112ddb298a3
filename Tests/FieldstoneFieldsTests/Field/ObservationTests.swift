import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Testing

@Suite("Observing a field")
struct ObservationTests {
  final class Owner {
    var heard: [Int?] = []
  }

  @Test("An observer hears the value at once, then each change and no equal set")
  func firstCall() {
    let age = Field<Int>()
    var heard: [(Int?, Int?, ChangeOrigin)] = []
    let registration = age.observe { heard.append(($0.old, $0.new, $0.origin)) }
    age.value = 1
    age.value = 1
    age.set(2, origin: .user)
    #expect(heard.map(\.0) == [nil, nil, 1])
    #expect(heard.map(\.1) == [nil, 1, 2])
    #expect(heard.map(\.2) == [.registration, .code, .user])
    registration.cancel()
    age.value = 3
    #expect(heard.count == 3)
  }

  @Test("One that asked for every set hears equal ones, too")
  func everySet() {
    let age = Field<Int>(value: 1)
    var (every, changes) = (0, 0)
    let registrations = [
      age.observe(everySet: true) { _ in every += 1 }, age.observe { _ in changes += 1 },
    ]
    age.value = 1
    age.value = 2
    #expect(every == 3 && changes == 2)
    withExtendedLifetime(registrations) {}
  }

  @Test("A change tells the revision it led to")
  func revisions() {
    let age = Field<Int>()
    var revisions: [Int] = []
    let registration = age.observe { revisions.append($0.revision) }
    age.value = 1
    age.value = 1
    age.value = 2
    #expect(revisions == [0, 1, 3])
    withExtendedLifetime(registration) {}
  }

  @Test("Observers hear in the order in which they registered, several of one owner among them")
  func order() {
    let age = Field<Int>()
    let owner = Owner()
    var heard: [String] = []
    let first = age.observe { _ in heard.append("a") }
    age.observe(owner: owner) { _, _ in heard.append("b") }
    age.observe(owner: owner) { _, _ in heard.append("c") }
    let last = age.observe { _ in heard.append("d") }
    heard = []
    age.value = 1
    #expect(heard == ["a", "b", "c", "d"])
    withExtendedLifetime((first, last)) {}
  }

  @Test("The owner's death ends its observations")
  func ownerDies() {
    let age = Field<Int>()
    var count = 0
    var owner: Owner? = Owner()
    age.observe(owner: owner!) { _, _ in count += 1 }
    age.observe(owner: owner!) { _, _ in count += 1 }
    age.value = 1
    #expect(count == 4 && age.observerCount == 2)
    owner = nil
    age.value = 2
    #expect(count == 4 && age.observerCount == 0)
  }

  @Test("The release of a registration ends its observation")
  func registrationReleased() {
    let age = Field<Int>()
    var count = 0
    var registration: Registration? = age.observe { _ in count += 1 }
    age.value = 1
    registration = nil
    age.value = 2
    #expect(count == 2 && registration == nil)
  }

  @Test("An owner is removed with all its closures, and all observers at once")
  func removal() {
    let age = Field<Int>()
    let (one, other) = (Owner(), Owner())
    for owner in [one, one, other] {
      age.observe(owner: owner) { owner, change in owner.heard.append(change.new) }
    }
    age -/-> one
    age.value = 1
    #expect(one.heard == [nil, nil] && other.heard == [nil, 1])
    age.removeAllObservers()
    age.value = 2
    #expect(other.heard == [nil, 1] && age.observerCount == 0)
  }

  @Test("Field, owner and closures do not keep each other alive")
  func noCycles() {
    final class Person {
      let age = Field<Int>("Age")
      var registration: Registration?
      var heard = 0
      init() {
        age.observe(owner: self) { person, _ in person.heard += 1 }
        registration = age.observe { [unowned self] _ in heard += 1 }
      }
    }
    var person: Person? = Person()
    let weakPerson = { [weak person] in person }
    let weakAge = { [weak age = person?.age] in age }
    person?.age.value = 1
    #expect(person?.heard == 4)
    person = nil
    #expect(weakPerson() == nil && weakAge() == nil)
  }

  @Test("A set from inside an observer: stored at once, heard by all after what was before it")
  func setInside() {
    let age = Field<Int>(value: 0)
    var (first, second): ([Int?], [Int?]) = ([], [])
    var stored: Int?
    let registrations = [
      age.observe { [unowned age] change in
        first.append(change.new)
        if change.new == 1 {
          age.value = 2
          stored = age.value
        }
      },
      age.observe { second.append($0.new) },
    ]
    age.value = 1
    #expect(stored == 2)
    #expect(first == [0, 1, 2] && second == [0, 1, 2])
    withExtendedLifetime(registrations) {}
  }

  @Test("First in, first out across fields that know nothing of each other")
  func acrossFields() {
    let (a, b, c) = (Field<Int>(value: 0), Field<Int>(value: 0), Field<Int>(value: 0))
    var heard: [String] = []
    let registrations = [
      a.observe { change in
        heard.append("a\(change.new!)")
        if change.new == 1 {
          b.value = 1
          c.value = 1
          b.value = 2
        }
      },
      b.observe { change in
        heard.append("b\(change.new!)")
        if change.new == 1 { c.value = 2 }
      },
      c.observe { heard.append("c\($0.new!)") },
    ]
    heard = []
    a.value = 1
    #expect(heard == ["a1", "b1", "c1", "b2", "c2"])
    withExtendedLifetime(registrations) {}
  }

  @Test("Who registers inside a delivery hears the value once, and not what waits behind it")
  func registeredInside() {
    let age = Field<Int>(value: 0)
    var late: [Int?] = []
    var registrations: [Registration] = []
    registrations.append(
      age.observe { [unowned age] change in
        guard change.new == 1 else { return }
        age.value = 2
        registrations.append(age.observe { late.append($0.new) })
      })
    age.value = 1
    #expect(late == [2])
    age.value = 3
    #expect(late == [2, 3])
  }

  @Test("From inside an observer it is legal to unsubscribe oneself and others")
  func unsubscribeInside() {
    let age = Field<Int>(value: 0)
    var heard: [String] = []
    var registrations: [Registration?] = [nil, nil]
    registrations[0] = age.observe { change in
      heard.append("first")
      if change.new == 1 {
        registrations[0] = nil
        registrations[1] = nil
      }
    }
    registrations[1] = age.observe { _ in heard.append("second") }
    heard = []
    age.value = 1
    age.value = 2
    #expect(heard == ["first"])
  }
}
