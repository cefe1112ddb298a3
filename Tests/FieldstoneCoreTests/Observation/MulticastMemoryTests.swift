import FieldstoneCore
import FieldstoneTesting
import Testing

@Suite("Multicast: what lives how long")
struct MulticastMemoryTests {
  /// What a callback captures; does something when it goes.
  private final class Captured {
    private let whenReleased: () -> Void

    init(whenReleased: @escaping () -> Void = {}) { self.whenReleased = whenReleased }

    deinit { whenReleased() }

    func touch() {}
  }

  /// Holds a multicast that others may take away.
  private final class Holder {
    var multicast: Multicast<() -> Void>? = Multicast()
  }

  enum Use: String, CaseIterable {
    case add, delivery, count, compact, removal

    func apply(to multicast: Multicast<() -> Void>) {
      switch self {
      case .add: _ = multicast.add {}
      case .delivery: multicast.invokeEach { $0() }
      case .count: _ = multicast.count
      case .compact: multicast.compact()
      case .removal: multicast.removeAll()
      }
    }
  }

  @Test("What a released callback captured lives until the next use", arguments: Use.allCases)
  func untilNextUse(use: Use) {
    let multicast = Multicast<() -> Void>()
    var captured: Captured? = Captured()
    let observed = { [weak captured] in captured }
    var registration: Registration? = multicast.add { [captured] in captured?.touch() }
    captured = nil
    #expect(observed() != nil)
    registration = nil
    #expect(observed() != nil)
    use.apply(to: multicast)
    #expect(observed() == nil)
    withExtendedLifetime(registration) {}
  }

  @Test("A callback that ends its own registration keeps what it captured until it is over")
  func endsItself() {
    let multicast = Multicast<() -> Void>()
    var registration: Registration?
    var captured: Captured? = Captured()
    let observed = { [weak captured] in captured }
    var livedOn = false
    registration = multicast.add { [unowned multicast, captured] in
      registration = nil
      multicast.compact()
      multicast.invokeEach { $0() }
      livedOn = observed() != nil
      captured?.touch()
    }
    captured = nil
    multicast.invokeEach { $0() }
    #expect(livedOn)
    #expect(observed() == nil)
    withExtendedLifetime(registration) {}
  }

  @Test("What callbacks captured goes in the order in which their registrations ended")
  func orderOfRelease() {
    let multicast = Multicast<() -> Void>()
    let gone = Recorder<Int>()
    let registrations = (0..<4).map { number in
      let captured = Captured { gone.record(number) }
      return multicast.add { captured.touch() }
    }
    for number in [2, 0, 3, 1] { registrations[number].cancel() }
    #expect(gone.elements.isEmpty)
    multicast.compact()
    #expect(gone.elements == [2, 0, 3, 1])
  }

  @Test("A registration held by a released callback ends with it", arguments: Use.allCases)
  func heldByCallback(use: Use) {
    let multicast = Multicast<() -> Void>()
    let heard = Recorder<Int>()
    var registrations: [Registration] = []
    // Each of them holds the registration of the one before, which stands earlier in the list.
    for number in 0..<1_000 {
      let previous = registrations.popLast()
      registrations = [
        multicast.add { withExtendedLifetime(previous) { heard.record(number) } }
      ]
    }
    #expect(multicast.count == 1_000)
    registrations = []
    use.apply(to: multicast)
    #expect(heard.elements.isEmpty)
    #expect(multicast.count == 0)
  }

  @Test("What goes with a callback may add, remove and deliver", arguments: Use.allCases)
  func activeRelease(use: Use) {
    let multicast = Multicast<() -> Void>()
    let heard = Recorder<String>()
    var registrations: [Registration] = []
    let other = multicast.add { heard.record("other") }
    func captured() -> Captured {
      Captured { [unowned multicast] in
        heard.record("gone")
        registrations.append(multicast.add { heard.record("new") })
        multicast.invokeEach { $0() }
        other.cancel()
        multicast.compact()
      }
    }
    do {
      let captured = captured()
      multicast.add { captured.touch() }.cancel()
    }
    use.apply(to: multicast)
    #expect(heard.removeAll().prefix(3) == ["gone", "other", "new"])
    multicast.invokeEach { $0() }
    #expect(heard.elements == (use == .removal ? [] : ["new"]))
    registrations = []
  }

  @Test("What goes with a callback during removeAll may remove all and add")
  func activeRemoval() {
    let multicast = Multicast<() -> Void>()
    let heard = Recorder<String>()
    var registrations: [Registration] = []
    for number in 0..<3 {
      let captured = Captured { [unowned multicast] in
        heard.record("gone \(number)")
        multicast.removeAll()
        registrations.append(multicast.add { heard.record("new \(number)") })
      }
      registrations.append(multicast.add { captured.touch() })
    }
    multicast.removeAll()
    #expect(heard.elements == ["gone 0", "gone 1", "gone 2"])
    #expect(multicast.count == 1)
    multicast.invokeEach { $0() }
    #expect(heard.elements.last == "new 2")
    registrations = []
    #expect(multicast.count == 0)
  }

  @Test("removeAll lets go of what live registrations captured, and they end without effect")
  func removeAllWithLive() {
    let multicast = Multicast<() -> Void>()
    var captured: Captured? = Captured()
    let observed = { [weak captured] in captured }
    var old: [Registration] = (0..<10).map { _ in
      multicast.add { [captured] in captured?.touch() }
    }
    captured = nil
    multicast.removeAll()
    #expect(observed() == nil)
    #expect(multicast.count == 0)

    // New callbacks come to where the old ones were in memory.
    let heard = Recorder<Int>()
    let new = (0..<10).map { number in multicast.add { heard.record(number) } }
    old[3].cancel()
    old = []
    #expect(multicast.count == 10)
    multicast.invokeEach { $0() }
    #expect(heard.elements == Array(0..<10))
    withExtendedLifetime(new) {}
  }

  @Test("A removed callback may end its registration while others are still called")
  func removedThenCancelled() {
    let multicast = Multicast<() -> Void>()
    let heard = Recorder<String>()
    var registrations: [Registration] = []
    registrations.append(
      multicast.add { [unowned multicast] in
        multicast.removeAll()
        for registration in registrations { registration.cancel() }
        registrations = [multicast.add { heard.record("new") }]
      })
    registrations.append(multicast.add { heard.record("old") })
    multicast.invokeEach { $0() }
    #expect(heard.elements.isEmpty)
    #expect(multicast.count == 1)
    multicast.invokeEach { $0() }
    #expect(heard.elements == ["new"])
  }

  @Test("Registrations may outlive their multicast")
  func outliving() {
    var multicast: Multicast<() -> Void>? = Multicast()
    let observed = { [weak multicast] in multicast }
    var captured: Captured? = Captured()
    let observedCaptured = { [weak captured] in captured }
    let registrations = (0..<10).compactMap { _ in
      multicast?.add { [captured] in captured?.touch() }
    }
    captured = nil
    registrations[0].cancel()
    multicast = nil
    #expect(observed() == nil)
    #expect(observedCaptured() == nil)
    for registration in registrations { registration.cancel() }
    #expect(registrations.allSatisfy { $0.isCancelled })
  }

  @Test("A callback may take away the multicast that calls it", arguments: 0..<3, [true, false])
  func releasedInside(by index: Int, withRegistrations: Bool) {
    let holder = Holder()
    let observed = { [weak multicast = holder.multicast] in multicast }
    let heard = Recorder<Int>()
    var registrations: [Registration?] = []
    for number in 0..<3 {
      registrations.append(
        holder.multicast?.add {
          heard.record(number)
          guard number == index else { return }
          holder.multicast = nil
          if withRegistrations { registrations = [] }
        })
    }
    holder.multicast?.invokeEach { $0() }
    #expect(heard.elements == Array(withRegistrations ? 0...index : 0...2))
    #expect(observed() == nil)
  }

  @Test("What goes with a callback may take the multicast with it", arguments: Use.allCases)
  func releasedWithCallback(use: Use) {
    let holder = Holder()
    let observed = { [weak multicast = holder.multicast] in multicast }
    var captured: Captured? = Captured { holder.multicast = nil }
    var registration = holder.multicast?.add { [captured] in captured?.touch() }
    captured = nil
    registration = nil
    if let multicast = holder.multicast { use.apply(to: multicast) }
    #expect(holder.multicast == nil)
    #expect(observed() == nil)
    withExtendedLifetime(registration) {}
  }

  @Test("A chooser in removeNodes may change the list that it looks at")
  func activeChooser() {
    let multicast = Multicast<() -> Void>()
    let heard = Recorder<Int>()
    var registrations: [Registration?] = (0..<6).map { number in
      multicast.add({ heard.record(number) }, kind: UInt8(number))
    }
    var chosen = 0
    multicast.removeNodes { node in
      chosen += 1
      if node.kind == 1 {
        registrations[1] = nil  // the one that it looks at
        registrations[2] = nil  // the next
        multicast.invokeEach { $0() }
        multicast.removeNodes { $0.kind == 5 }
      }
      return node.kind == 1 || node.kind == 3
    }
    #expect(chosen == 4)
    #expect(heard.removeAll() == [0, 3, 4, 5])
    #expect(multicast.count == 2)
    multicast.invokeEach { $0() }
    #expect(heard.elements == [0, 4])
    registrations = []
    #expect(multicast.count == 0)
  }
}
