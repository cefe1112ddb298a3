import FieldstoneCore
import Testing

@testable import FieldstoneFields

@Suite("Observers whose owner is gone")
struct DeadOwnerTests {
  /// A way to follow a field as long as an object lives.
  enum Following: CaseIterable, Sendable {
    case observation, target, convertedTarget, observer, equalRule, dependentRule, derived
  }

  private final class Owner: ValueObserver {
    func receive(_ value: Int?) {}
  }

  @Test(
    "They go without a change of the field, once there are twice as many",
    arguments: Following.allCases, [true, false])
  func removed(following: Following, isInDelivery: Bool) {
    let source = Field<Int>("Source", value: 1)
    var living: [AnyObject] = []
    var heard = 0
    func add() -> AnyObject {
      switch following {
      case .observation:
        let owner = Owner()
        source.observe(owner: owner) { _, _ in heard += 1 }
        return owner
      case .target:
        let target = Field<Int>()
        source --> target
        return target
      case .convertedTarget:
        let target = Field<String>()
        source --> .converting { "\($0)" } --> target
        return target
      case .observer:
        let owner = Owner()
        source --> owner
        return owner
      case .equalRule: return Field<Int>(value: 1).require(.equal(to: source))
      case .dependentRule:
        return Field<Int>(value: 1).require(.depending(on: source) { $0 == $1 })
      case .derived: return DerivedField(source) { ($0 ?? 0) + 1 }
      }
    }
    func addMany() {
      for number in 0..<1000 {
        let owner = add()
        if number % 100 == 0 { living.append(owner) }
      }
    }
    let trigger = Field<Int>()
    let registration = trigger.observe { if $0.origin != .registration { addMany() } }
    if isInDelivery { trigger.value = 1 } else { addMany() }
    let count = source.observerCount + (source.details?.followers.count ?? 0)
    #expect(living.count == 10 && (10...64).contains(count))
    heard = 0
    source.value = 2
    #expect(heard == (following == .observation ? 10 : 0))
    withExtendedLifetime((living, registration)) {}
  }

  @Test("What their closures capture goes with them, and observers that live stay")
  func captured() {
    let source = Field<Int>("Source", value: 1)
    let owner = Owner()
    var heard: [Int?] = []
    let registrations = (0..<40).map { _ in source.observe { heard.append($0.new) } }
    for _ in 0..<40 { source.observe(owner: owner) { _, change in heard.append(change.new) } }
    weak var captured: Owner?
    do {
      let (gone, kept) = (Owner(), Owner())
      captured = kept
      source.observe(owner: gone) { _, _ in withExtendedLifetime(kept) {} }
    }
    for _ in 0..<200 { source.observe(owner: Owner()) { _, _ in } }
    #expect(captured == nil)
    heard = []
    source.value = 2
    #expect(heard == Array(repeating: 2, count: 80))
    withExtendedLifetime(registrations) {}
  }
}
