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
}
