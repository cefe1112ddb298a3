import FieldstoneCore
import FieldstoneFields
import Testing

@Suite("The first value of an observer or a binding")
struct FirstValueTests {
  private final class Box: ValueSource {
    let valueObservers = ValueObservers<Int>()
    var value: Int? { didSet { valueObservers.notify(value) } }

    init(_ value: Int) { self.value = value }
  }

  /// Sets its field to 10 where it receives more.
  private final class Knob: ValueObserver {
    let field: Field<Int>
    var value: Int?

    init(_ field: Field<Int>) { self.field = field }

    func receive(_ value: Int?) {
      self.value = value
      if (value ?? 0) > 10 { field.value = 10 }
    }
  }

  @Test("What an observer of a class sets in its first call is heard")
  func nestedInClass() {
    let (owned, plain, bound) = (Box(1), Box(1), Box(1))
    var heard: [Int?] = []
    owned.observe(owner: owned) { owned, value in
      heard.append(value)
      if value == 1 { owned.value = 2 }
    }
    #expect(heard == [1, 2] && owned.value == 2)
    heard = []
    plain --> { [unowned plain] value in
      heard.append(value)
      if value == 1 { plain.value = 2 }
    }
    #expect(heard == [1, 2] && plain.value == 2)
    let field = Field<Int>()
    let registration = field.observe { [unowned bound] in if $0.new == 1 { bound.value = 2 } }
    bound --> field
    #expect(bound.value == 2 && field.value == 2)
    withExtendedLifetime(registration) {}
  }

  @Test("An observer of a class that is added during a notification skips what is older")
  func newcomerOfClass() {
    let box = Box(0)
    var heard: [Int?] = []
    box --> { [unowned box] value in
      guard value == 1 else { return }
      box.value = 2
      box.value = 3
      box.observe(owner: box) { heard.append($1) }
    }
    box.value = 1
    #expect(heard == [3])
    box.value = 4
    #expect(heard == [3, 4])
  }

  @Test("What an observer of the target sets the source to in answer to the binding reaches it")
  func setByObserverOfTarget() {
    let (source, target) = (Field<Int>(value: 50), Field<Int>(value: 0))
    let (left, right) = (Field<Int>(value: 0), Field<Int>(value: 50))
    let text = Field<String>()
    let registrations = [
      target.observe { [unowned source] in if ($0.new ?? 0) > 10 { source.value = 10 } },
      left.observe { [unowned right] in if ($0.new ?? 0) > 10 { right.value = 10 } },
      text.observe { [unowned source] in if $0.new == "10" { source.value = 9 } },
    ]
    source --> target
    #expect(source.value == 10 && target.value == 10)
    left <--> right
    #expect(left.value == 10 && right.value == 10)
    source --> .converting { "\($0)" } --> text
    #expect(source.value == 9 && text.value == "9" && target.value == 9)
    let dial = Field<Int>(value: 50)
    let knob = Knob(dial)
    dial --> knob
    #expect(dial.value == 10 && knob.value == 10)
    withExtendedLifetime(registrations) {}
  }
}
