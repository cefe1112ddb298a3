import Fieldstone
import Harness
import OpenCombine

/// What a field weighs, and what its first observer adds to it, its registration included.
let fieldMemory = Group(
  "field-memory", floor: "didSet box, no observer", unit: .bytes
) {
  Case.memory("didSet box, no observer") { BoxOfClosures([]) }
  Case.memory("fieldstone Field<Int>, no observer", goals: [.atMostAbsolute(112)]) {
    Field<Int>()
  }
  Case.memory("fieldstone Field<Int>, one observer", goals: [.atMostAbsolute(340)]) {
    let field = Field<Int>()
    registrations.keep(field.observe { _ in })
    return field
  }
  Case.memory("fieldstone Field<Int>, one observer with an owner", goals: [.atMostAbsolute(340)]) {
    let field = Field<Int>()
    field.observe(owner: owner) { _, _ in }
    return field
  }
  Case.memory("OpenCombine CurrentValueSubject, no observer") {
    CurrentValueSubject<Int?, Never>(nil)
  }
  Case.memory("OpenCombine CurrentValueSubject, one observer") {
    let subject = CurrentValueSubject<Int?, Never>(nil)
    subscriptions.keep(subject.sink { _ in })
    return subject
  }
}

private let owner = Tally()
private let registrations = Rack<Registration>(10_001)
private let subscriptions = Rack<AnyCancellable>(10_001)
