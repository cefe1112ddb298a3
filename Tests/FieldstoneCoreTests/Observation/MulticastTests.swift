import FieldstoneCore
import FieldstoneTesting
import Testing

@Suite("Multicast: order, and change during delivery")
struct MulticastTests {
  private let multicast = Multicast<(Int) -> Void>()
  private let heard = Recorder<String>()

  private func add(_ name: String) -> Registration {
    multicast.add { [heard] in heard.record("\(name)\($0)") }
  }

  private func told(_ value: Int) -> [String] {
    multicast.invokeEach { $0(value) }
    return heard.removeAll()
  }

  @Test("Nobody hears a delivery without callbacks")
  func nobody() {
    #expect(told(1).isEmpty)
    multicast.compact()
    multicast.removeAll()
    #expect(multicast.count == 0)
  }

  @Test("Callbacks are called in the order they were added, with what they are told")
  func order() {
    let registrations = ["a", "b", "c"].map(add)
    #expect(told(1) == ["a1", "b1", "c1"])
    #expect(told(2) == ["a2", "b2", "c2"])
    #expect(multicast.count == 3)
    withExtendedLifetime(registrations) {}
  }

  @Test("Who comes back is heard last")
  func comingBack() {
    var first: Registration? = add("a")
    let second = add("b")
    first = nil
    first = add("a")
    #expect(told(1) == ["b1", "a1"])
    withExtendedLifetime((first, second)) {}
  }

  @Test("A registration is cancelled once, however often", arguments: [1, 2, 3])
  func cancellation(times: Int) {
    let first = add("a")
    let second = add("b")
    #expect(!first.isCancelled)
    for _ in 0..<times { first.cancel() }
    #expect(first.isCancelled)
    #expect(multicast.count == 1)
    #expect(told(1) == ["b1"])
    withExtendedLifetime(second) {}
  }

  @Test("A registration that is cancelled and then released ends once")
  func cancelledAndReleased() {
    let second = add("b")
    do {
      let first = add("a")
      first.cancel()
      #expect(multicast.count == 1)
    }
    #expect(multicast.count == 1)
    #expect(told(1) == ["b1"])
    withExtendedLifetime(second) {}
  }

  @Test("A registration that nobody keeps hears nothing")
  func notKept() {
    _ = add("a")
    #expect(told(1).isEmpty)
    #expect(multicast.count == 0)
  }

  /// Which of five callbacks removes, and which one is removed, or several.
  static let removals: [(remover: Int, removed: [Int], heard: String)] = [
    (2, [2], "01234"),  // itself
    (2, [0], "01234"),  // the first, which has heard
    (2, [1], "01234"),  // the one before
    (2, [3], "0124"),  // the next
    (2, [4], "0123"),  // the last
    (2, [3, 4], "012"),  // all later ones
    (0, [0, 1, 2, 3], "04"),
    (4, [4], "01234"),  // the last by itself
    (0, [4], "0123"),
    (2, [0, 1, 2, 3, 4], "012"),  // everybody
  ]

  @Test(
    "Who is removed during a delivery is not called any more", arguments: removals, [true, false])
  func removal(during delivery: (remover: Int, removed: [Int], heard: String), byRelease: Bool) {
    var registrations: [Registration?] = []
    for index in 0..<5 {
      registrations.append(
        multicast.add { [heard] _ in
          heard.record("\(index)")
          guard index == delivery.remover else { return }
          for removed in delivery.removed {
            if byRelease { registrations[removed] = nil } else { registrations[removed]?.cancel() }
          }
        })
    }
    #expect(told(1).joined() == delivery.heard)
    let left = (0..<5).filter { !delivery.removed.contains($0) }
    #expect(multicast.count == left.count)
    let next = left.contains(delivery.remover) ? left : left.filter { $0 != delivery.remover }
    #expect(told(2).joined() == next.map(String.init).joined())
    registrations = []
  }

  @Test("Who is added during a delivery is called from the next one on", arguments: 0..<3)
  func addition(by adder: Int) {
    var registrations: [Registration] = []
    var added: [Registration] = []
    for index in 0..<3 {
      registrations.append(
        multicast.add { [unowned multicast, heard] value in
          heard.record("\(index)")
          if index == adder, value == 1 {
            added.append(multicast.add { _ in heard.record("new") })
          }
        })
    }
    #expect(told(1) == ["0", "1", "2"])
    #expect(multicast.count == 4)
    #expect(told(2) == ["0", "1", "2", "new"])
    withExtendedLifetime((registrations, added)) {}
  }

  @Test("One added in place of the last, during a delivery, is not called in it")
  func replacement() {
    var last: Registration?
    let first = multicast.add { [unowned multicast, heard] value in
      heard.record("first")
      if value == 1 { last = multicast.add { _ in heard.record("new") } }
    }
    last = multicast.add { [heard] _ in heard.record("old") }
    #expect(told(1) == ["first"])
    #expect(told(2) == ["first", "new"])
    withExtendedLifetime((first, last)) {}
  }

  @Test("A delivery inside a delivery reaches those added in the outer one, which the outer skips")
  func nested() {
    var added: Registration?
    let first = multicast.add { [unowned multicast, heard] value in
      heard.record("first\(value)")
      guard value == 1 else { return }
      added = multicast.add { heard.record("new\($0)") }
      multicast.invokeEach { $0(2) }
    }
    let second = multicast.add { [heard] in heard.record("second\($0)") }
    #expect(told(1) == ["first1", "first2", "second2", "new2", "second1"])
    withExtendedLifetime((first, second, added)) {}
  }

  @Test("Who is removed in an inner delivery is not called in the outer one", arguments: 0..<4)
  func removedInside(removed: Int) {
    var registrations: [Registration?] = []
    for index in 0..<4 {
      registrations.append(
        multicast.add { [unowned multicast, heard] value in
          heard.record("\(index)\(value)")
          if value == 1, index == 1 { multicast.invokeEach { $0(2) } }
          if value == 2, index == 3 { registrations[removed] = nil }
        })
    }
    let outer = [2, 3].filter { $0 != removed }.map { "\($0)1" }
    #expect(told(1) == ["01", "11", "02", "12", "22", "32"] + outer)
    #expect(multicast.count == 3)
    registrations = []
  }

  @Test("Deliveries may be nested deeply, with removals on the way")
  func deeplyNested() {
    var registrations: [Registration?] = []
    for _ in 0..<50 {
      registrations.append(
        multicast.add { [unowned multicast, heard] value in
          heard.record("\(value)")
          registrations[value] = nil
          if value < 49 { multicast.invokeEach { $0(value + 1) } }
        })
    }
    // The first of those who are left is always the one who goes, and tells the others.
    #expect(told(0) == (0..<50).map(String.init))
    #expect(multicast.count == 0)
  }

  @Test("removeAll during a delivery ends it, and what is added afterwards is heard")
  func removeAllInside() {
    var added: Registration?
    let first = multicast.add { [unowned multicast, heard] value in
      heard.record("first")
      multicast.removeAll()
      added = multicast.add { _ in heard.record("new") }
    }
    let second = multicast.add { [heard] _ in heard.record("second") }
    #expect(told(1) == ["first"])
    #expect(multicast.count == 1)
    #expect(told(2) == ["new"])
    withExtendedLifetime((first, second, added)) {}
  }

  @Test("Callbacks of any type are told through a closure")
  func anyCallback() {
    struct Listener {
      let name: String
      let hear: (String, Int) -> Void
    }
    let listeners = Multicast<Listener>()
    let registration = listeners.add(
      Listener(name: "a") { [heard] in heard.record("\($0) \($1)") })
    listeners.invokeEach { $0.hear($0.name, 7) }
    #expect(heard.elements == ["a 7"])
    withExtendedLifetime(registration) {}
  }

  @Test("A kind tells apart callbacks that are removed together")
  func kinds() {
    multicast.addForGood({ [heard] _ in heard.record("one") }, kind: 1)
    multicast.addForGood({ [heard] _ in heard.record("two") }, kind: 2)
    let kept = multicast.add({ [heard] _ in heard.record("kept") }, kind: 1)
    #expect(told(1) == ["one", "two", "kept"])
    multicast.removeNodes { $0.kind == 1 }
    #expect(told(2) == ["two"])
    kept.cancel()
    #expect(multicast.count == 1)
  }

  @Test("Who retires during a delivery is taken out after it, once", arguments: [true, false])
  func retirement(withRegistration: Bool) {
    var registration: Registration?
    if withRegistration {
      registration = multicast.add { [heard] _ in heard.record("one") }
    } else {
      multicast.addForGood({ [heard] _ in heard.record("one") }, kind: 0)
    }
    let other = add("two")
    multicast.forEachNode { node in
      node.callback(0)
      if heard.count == 1 {
        multicast.retire(node)
        multicast.retire(node)
      }
    }
    #expect(heard.removeAll() == ["one", "two0"])
    #expect(multicast.count == 1)
    let new = add("new")
    registration = nil
    #expect(told(1) == ["two1", "new1"])
    withExtendedLifetime((registration, other, new)) {}
  }

  @Test("A hundred thousand come and go in any order, among as many", .timeLimit(.minutes(20)))
  func many() {
    var random = SeededGenerator(seed: 1)
    let count = 100_000
    var registrations = (0..<count).map { _ in multicast.add { _ in } }
    for _ in 0..<count {
      registrations[Int.random(in: 0..<count, using: &random)] = multicast.add { _ in }
    }
    #expect(multicast.count == count)
    registrations.shuffle(using: &random)
    registrations.removeLast(count / 2)
    #expect(multicast.count == count / 2)
  }
}
