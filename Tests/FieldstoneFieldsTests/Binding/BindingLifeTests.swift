import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Foundation
import Synchronization
import Testing

@Suite("Bindings: targets that come to their end")
struct BindingLifeTests {
  /// Owns a field that others set, and may be released on any thread.
  private final class Owner: Sendable {
    nonisolated(unsafe) let field: Field<Int>

    init(_ field: Field<Int>) { self.field = field }
  }

  /// What an observer captures.
  private final class Captured {
    func touch() {}
  }

  /// Hands an owner at a time to another thread, which lets go of it.
  private final class Remover: Sendable {
    private let owner = Locked<Owner?>(nil)
    private let begin = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    init(rounds: Int) {
      let thread = Thread { [self] in
        for _ in 0..<rounds {
          begin.wait()
          let last = owner.withLock { $0.take() }
          // Released here, if the source does not hold it just now.
          withExtendedLifetime(last) {}
          ended.signal()
        }
      }
      thread.start()
    }

    func remove(_ owner: Owner) {
      self.owner.withLock { $0 = owner }
      begin.signal()
    }

    func wait() { ended.wait() }
  }

  @Test("The last owner of a target goes on another thread while the source delivers, 5,000 times")
  func goesElsewhere() {
    let rounds = 5_000
    let source = Field<Int>(value: 0)
    let remover = Remover(rounds: rounds)
    let heard = Recorder<Int>()
    for round in 1...rounds {
      let end = Field<Int>()
      let isHeldWeakly = round.isMultiple(of: 3)
      do {
        let owner = Owner(Field<Int>())
        source --> owner.field --> end
        if isHeldWeakly { end.observe(owner: owner.field) { heard.record($1.new ?? 0) } }
        remover.remove(owner)
      }
      var value = 0
      // Without a pause, so that the end of the target meets the delivery at all its places.
      while source.observerCount > 0 {
        value += 1
        source.value = value
      }
      remover.wait()
      // The set that finds it gone is the first that does not reach the end.
      let last = value - 1
      #expect(end.value == last)
      source.value = 0
      #expect(end.value == last)
    }
  }

  @Test("What a target held goes with it, and not when its source forgets it")
  func contents() {
    let source = Field<Int>(value: 1)
    var target: Field<Int>? = Field<Int>()
    weak var captured: Captured?
    do {
      let inner = Captured()
      captured = inner
      target.map { source --> $0 --> { _ in inner.touch() } }
    }
    #expect(captured != nil)
    target = nil
    #expect(captured == nil)
    #expect(source.observerCount == 1)
    source.value = 2
    #expect(source.observerCount == 0)
  }

  @Test("A source that goes after its target, without another set")
  func sourceGoesLater() {
    var source: Field<Int>? = Field(value: 1)
    var target: Field<Int>? = Field()
    let weakSource = { [weak source] in source }
    if let source, let target { source --> target }
    target = nil
    source = nil
    #expect(weakSource() == nil)
  }

  @Test("Targets that others hold weakly, before they are bound and since")
  func heldWeakly() {
    let source = Field<Int>(value: 1)
    for isBefore in [true, false] {
      var target: Field<Int>? = Field()
      weak var weakTarget: Field<Int>?
      if isBefore { weakTarget = target }
      target.map { _ = source --> $0 }
      if !isBefore { weakTarget = target }
      source.value = source.value.map { $0 + 1 }
      #expect(weakTarget?.value == source.value)
      target = nil
      #expect(weakTarget == nil)
      source.value = source.value.map { $0 + 1 }
      #expect(source.observerCount == 0)
    }
  }

  @Test("A target that an observer before it lets go of is not set, and those after it are")
  func goesWithinADelivery() {
    let source = Field<Int>()
    var target: Field<Int>? = Field()
    let after = Field<Int>()
    source --> { if $0 == 2 { target = nil } }
    target.map { _ = source --> $0 }
    source --> after
    source.value = 1
    #expect(source.observerCount == 3)
    source.value = 2
    #expect(target == nil)
    #expect(after.value == 2)
    #expect(source.observerCount == 2)
  }

  @Test("A target that lives for its delivery alone delivers, and then is gone")
  func goesWhileItWaits() {
    let source = Field<Int>()
    var target: Field<Int>? = Field()
    let weakTarget = { [weak target] in target }
    var heard: [Int?] = []
    target.map { source --> $0 --> { heard.append($0) } }
    // After the binding: the target's change waits when its last owner goes.
    source --> { if $0 == 1 { target = nil } }
    source.value = 1
    #expect(heard == [nil, 1])
    #expect(weakTarget() == nil)
    source.value = 2
    #expect(heard == [nil, 1])
    #expect(source.observerCount == 1)
  }

  @Test("A target that stays as it is, or is set too often, is released as often as retained")
  func balance() {
    let source = Field<Int>()
    for isCoercing in [false, true] {
      var target: Field<Int>? = Field()
      let weakTarget = { [weak target] in target }
      if let target {
        source --> target
        source --> target
        if isCoercing { target.observe(owner: source) { $0.value = ($1.new ?? 0) + 1 } }
      }
      UnsettledFields.withHandler { _ in
      } _: {
        source.value = isCoercing ? 100 : 1
        Fields.batch { source.value = 1 }
      }
      target = nil
      #expect(weakTarget() == nil)
      source.removeAllObservers()
    }
  }

  @Test("A target that is set too often over its bindings is released as often as retained")
  func refused() {
    let (start, left, right) = (Field<Int>(), Field<Int>(), Field<Int>())
    var target: Field<Int>? = Field()
    let weakTarget = { [weak target] in target }
    target.map { field in
      left --> field
      right --> field --> { _ in }
    }
    start --> { value in
      guard value != nil else { return }
      for step in 1...60 {
        left.value = step
        right.value = -step
      }
    }
    let reports = Recorder<UnsettledFields>()
    UnsettledFields.withHandler {
      reports.record($0)
    } _: {
      start.value = 1
    }
    #expect(reports.elements.count == 1)
    target = nil
    #expect(weakTarget() == nil)
  }

  @Test("A field that was set almost too often is not held after the delivery")
  func trail() {
    var field: Field<Int>? = Field(value: 0)
    let weakField = { [weak field] in field }
    field.map { field in
      field --> { [unowned field] in
        if let value = $0, (1..<100).contains(value) { field.value = value + 1 }
      }
    }
    field?.value = 1
    #expect(field?.value == 100)
    field = nil
    #expect(weakField() == nil)
  }

  @Test("A field that is bound while changes of its source wait does not take them again")
  func boundWhileChangesWait() {
    let source = Field<Int>(value: 0)
    var target: Field<Int>?
    var heard: [Int?] = []
    source --> { [unowned source] value in
      guard value == 1 else { return }
      source.value = 2
      source.value = 3
      let made = Field<Int>()
      made --> { heard.append($0) }
      source --> made
      target = made
    }
    source.value = 1
    #expect(heard == [nil, 3])
    #expect(target?.revision == 1)
    source.value = 4
    #expect(heard == [nil, 3, 4])
    target = nil
    source.value = 5
    #expect(source.observerCount == 1)
  }

  @Test("Targets of other types, and objects, are forgotten once they are gone")
  func otherTargets() {
    final class Label: ValueObserver {
      func receive(_ value: Int?) {}
    }
    let source = Field<Int>()
    var converted: Field<String>? = Field()
    var label: Label? = Label()
    converted.map { source.bind(to: $0) { "\($0)" } }
    label.map { source.bind(to: $0) }
    #expect(converted?.isKnown == false)
    source.value = 1
    #expect(converted?.value == "1" && source.observerCount == 2)
    converted = nil
    label = nil
    source.value = 2
    #expect(source.observerCount == 0)
  }
}
