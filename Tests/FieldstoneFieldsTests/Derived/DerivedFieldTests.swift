import FieldstoneCore
import FieldstoneTesting
import Foundation
import Testing

@testable import FieldstoneFields

@Suite("Derived fields")
struct DerivedFieldTests {
  private struct Trouble: Error {}

  @Test("It is computed from its sources, of any types")
  func computed() {
    let (first, age) = (Field<String>(value: "Ada"), Field<Int>(value: 36))
    let text = DerivedField(first, age) { "\($0 ?? "?"), \($1 ?? 0)" }
    #expect(text.value == "Ada, 36" && text.phase == .loaded("Ada, 36"))
    age.value = 37
    #expect(text.value == "Ada, 37")
    first.value = nil
    #expect(text.value == "?, 37")
  }

  @Test("On a diamond it is computed once, and nobody sees a mixture")
  func diamond() {
    let a = Field<Int>(value: 1)
    var computations = 0
    let double = DerivedField(a) { ($0 ?? 0) * 2 }
    let triple = DerivedField(a) { ($0 ?? 0) * 3 }
    let sum = DerivedField(double, triple) { left, right in
      computations += 1
      return (left ?? 0) + (right ?? 0)
    }
    var heard: [Int?] = []
    var seen: [Int?] = []
    let registrations = [
      sum.observe { heard.append($0.new) },
      a.observe { [unowned sum] _ in seen.append(sum.value) },
      double.observe { [unowned sum] _ in seen.append(sum.value) },
    ]
    computations = 0
    a.value = 2
    #expect(heard == [5, 10] && computations == 1)
    #expect(seen == [5, 5, 10, 10])
    withExtendedLifetime(registrations) {}
  }

  @Test("In a batch it is computed once, and delivered once")
  func batch() {
    let (a, b) = (Field<Int>(value: 1), Field<Int>(value: 1))
    var computations = 0
    let sum = DerivedField(a, b) { left, right in
      computations += 1
      return (left ?? 0) + (right ?? 0)
    }
    var heard: [Int?] = []
    let registration = sum.observe { heard.append($0.new) }
    computations = 0
    Fields.batch {
      a.value = 2
      b.value = 3
      a.value = 4
    }
    #expect(computations == 1 && heard == [2, 7])
    withExtendedLifetime(registration) {}
  }

  @Test("Read within a batch it is up to date, over several levels")
  func readInABatch() {
    let a = Field<Int>(value: 1)
    let double = DerivedField(a) { ($0 ?? 0) * 2 }
    let quadruple = DerivedField(double) { ($0 ?? 0) * 2 }
    Fields.batch {
      a.value = 2
      #expect(quadruple.value == 8)
      a.value = 3
      #expect(quadruple.value == 12)
    }
    #expect(quadruple.value == 12)
  }

  @Test("An equal result is no change")
  func equalResult() {
    let a = Field<Int>(value: 1)
    let isOdd = DerivedField(a) { ($0 ?? 0) % 2 == 1 }
    var count = 0
    let registration = isOdd.observe { _ in count += 1 }
    let revision = isOdd.revision
    a.value = 3
    #expect(count == 1 && isOdd.revision == revision)
    withExtendedLifetime(registration) {}
  }

  @Test("A rollback takes it back, unheard", arguments: [true, false])
  func rollback(isRead: Bool) {
    let a = Field<Int>(value: 1)
    let double = DerivedField(a) { ($0 ?? 0) * 2 }
    var heard: [Int?] = []
    let registration = double.observe { heard.append($0.new) }
    try? Fields.transaction {
      a.value = 5
      if isRead { #expect(double.value == 10) }
      throw MessageError("back")
    }
    #expect(double.value == 2 && heard == [2])
    a.value = 3
    #expect(double.value == 6 && heard == [2, 6])
    withExtendedLifetime(registration) {}
  }

  @Test("It can be bound to fields, and hears what is bound to its sources")
  func binding() {
    let (source, a, target) = (Field<Int>(value: 1), Field<Int>(), Field<Int>())
    source --> a
    let double = DerivedField(a) { ($0 ?? 0) * 2 }
    double --> target
    #expect(target.value == 2)
    source.value = 4
    #expect(target.value == 8)
  }

  @Test("Its sources do not keep it alive, and it keeps them alive")
  func lifetimes() {
    var a: Field<Int>? = Field(value: 1)
    let weakA = { [weak a] in a }
    var double: DerivedField<Int>? = DerivedField(a!) { ($0 ?? 0) * 2 }
    let weakDouble = { [weak double] in double }
    a = nil
    #expect(weakA() != nil && double?.value == 2)
    double = nil
    #expect(weakDouble() == nil && weakA() == nil)
  }

  @Test("An equal set of a source computes nothing, and keeps nothing alive")
  func equalSet() {
    let a = Field<Int>(value: 1)
    var computations = 0
    var double: DerivedField<Int>? = DerivedField(a) { value in
      computations += 1
      return (value ?? 0) * 2
    }
    let weakDouble = { [weak double] in double }
    a.value = 1
    #expect(double?.value == 2 && computations == 1)
    a.value = 1
    double = nil
    #expect(weakDouble() == nil)
  }

  @Test("A source that is set after its followers have died goes on")
  func deadFollowers() {
    let a = Field<Int>(value: 1)
    for number in 0..<10 { _ = DerivedField(a) { ($0 ?? 0) * number } }
    a.value = 2
    #expect(a.value == 2)
  }

  @Test("A chain of 10,000 derived fields does not overflow the stack")
  func longChain() {
    let a = Field<Int>(value: 0)
    var chain = [DerivedField(a) { ($0 ?? 0) + 1 }]
    for _ in 1..<10_000 { chain.append(DerivedField(chain[chain.count - 1]) { ($0 ?? 0) + 1 }) }
    a.value = 5
    #expect(chain[chain.count - 1].value == 10_005)
    Fields.batch {
      a.value = 6
      #expect(chain[chain.count - 1].value == 10_006)
    }
  }

  /// Makes a chain that nothing but its last field holds, and lets go of that.
  private static func releaseChain(of count: Int) -> Bool {
    let source = Field<Int>(value: 0)
    weak var first: DerivedField<Int>?
    do {
      var last = DerivedField(source) { ($0 ?? 0) + 1 }
      first = last
      for _ in 1..<count { last = DerivedField(last) { ($0 ?? 0) + 1 } }
      guard last.value == count else { return false }
    }
    return first == nil
  }

  @Test("A chain of 36,000 that is released at once does not overflow the stack")
  func releasedAtOnce() {
    #expect(Self.releaseChain(of: 36_000))
  }

  @Test("Nor does it on a thread with a stack of 512 KB")
  func releasedOnASmallStack() async {
    let isReleased = Locked(false)
    await withCheckedContinuation { continuation in
      let thread = Thread {
        let result = Self.releaseChain(of: 36_000)
        isReleased.withLock { $0 = result }
        continuation.resume()
      }
      thread.stackSize = 512 * 1_024
      thread.start()
    }
    #expect(isReleased.withLock { $0 })
  }

  @Test("Those of one source are heard in the order in which they were made")
  func order() {
    let source = Field<Int>(value: 1)
    let all = (0..<4).map { number in DerivedField(source) { ($0 ?? 0) * 10 + number } }
    var heard: [Int] = []
    let registrations = all.map { derived in
      derived.observe { if $0.origin == .derivation { heard.append($0.new ?? -1) } }
    }
    source.value = 2
    #expect(heard == [20, 21, 22, 23])
    Fields.batch { source.value = 3 }
    #expect(heard.suffix(4) == [30, 31, 32, 33])
    withExtendedLifetime(registrations) {}
  }

  @Test(
    "An inner transaction that first reads it and is rolled back leaves it up to date",
    arguments: [true, false])
  func innerRollback(isInObserver: Bool) {
    let (trigger, a) = (Field<Int>(value: 0), Field<Int>(value: 1))
    let tenfold = DerivedField(a) { ($0 ?? 0) * 10 }
    let more = DerivedField(tenfold) { ($0 ?? 0) + 1 }
    var heard: [Int?] = []
    func act() {
      a.value = 2
      try? Fields.transaction {
        #expect(tenfold.value == 20)
        throw Trouble()
      }
    }
    let registrations = [
      more.observe { heard.append($0.new) },
      trigger.observe { if $0.origin != .registration { act() } },
    ]
    if isInObserver { trigger.value = 1 } else { Fields.batch(act) }
    #expect(tenfold.value == 20 && more.value == 21 && heard == [11, 21])
    withExtendedLifetime(registrations) {}
  }

  @Test("Many sets of a source in one batch pass over its followers once")
  func manySets() {
    let source = Field<Int>(value: 0)
    let spies = (0..<100).map { _ in FollowerSpy() }
    let derived = DerivedField(source) { ($0 ?? 0) * 2 }
    for spy in spies { source.details?.followers.append(WeakFollower(follower: spy)) }
    Fields.batch {
      for number in 1...50 { source.value = number }
      #expect(spies.allSatisfy { $0.looks == 1 })
      #expect(derived.value == 100)
      for number in 51...100 { source.value = number }
      #expect(derived.value == 200)
    }
    #expect(derived.value == 200 && spies.allSatisfy { !$0.isInvalid })
  }
}

/// Counts how often it is looked at.
private final class FollowerSpy: Follower {
  let height = 1
  private(set) var looks = 0
  private var isOutOfDate = false
  let followers: [WeakFollower] = []

  var isInvalid: Bool {
    get {
      looks += 1
      return isOutOfDate
    }
    set { isOutOfDate = newValue }
  }

  func update() { isOutOfDate = false }
}
