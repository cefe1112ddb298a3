import FieldstoneCore
import FieldstoneTesting

/// A multicast and an array that models it: both are told the same, and must agree at each step.
final class MulticastSimulation {
  /// What a callback captures; it may hold the registration of another one.
  private final class Capture {
    let captive: Registration?

    init(captive: Registration?) { self.captive = captive }
  }

  /// What the model knows of a callback, at the index that is its number.
  private struct Entry {
    let kind: UInt8
    let captive: Int?
    weak var capture: Capture?
    var isLive = true
    var isReleased = false
  }

  /// The first disagreement.
  private(set) var fault: String?

  private var random: SeededGenerator
  private var multicast: Multicast<() -> Void>? = Multicast()
  private var tokens: [(number: Int, registration: Registration)] = []
  private var entries: [Entry] = []
  /// Who is still to be called, for each delivery under way, the outermost first.
  private var deliveries: [ArraySlice<Int>] = []
  private var budget: Int

  init(seed: UInt64, steps: Int) {
    random = SeededGenerator(seed: seed)
    budget = steps
  }

  /// Does random things until the steps are used up, and lets go of everything.
  func run() {
    while budget > 0, fault == nil { step() }
    if Bool.random(using: &random) { tokens = [] }
    multicast = nil
    tokens = []
    expect(entries.allSatisfy { $0.capture == nil }, "a capture outlived the multicast")
  }

  private func step() {
    budget -= 1
    guard let multicast else { return }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<26: add(to: multicast, captive: nil)
    case 26..<32: add(to: multicast, captive: takeToken())
    case 32..<38: addForGood(to: multicast)
    case 38..<50: cancelToken()
    case 50..<62: if let token = takeToken() { end(token.number) }
    case 62..<64: removeAll(of: multicast)
    case 64..<68: removeKind(of: multicast)
    case 68..<88: if deliveries.count < 3 { deliver(through: multicast) }
    default: compact(multicast)
    }
    for (number, entry) in entries.enumerated() {
      let isGone = entry.capture == nil
      expect(isGone == entry.isReleased, "capture \(number) is \(isGone ? "gone" : "there")")
    }
  }

  // MARK: What both are told

  private func add(
    to multicast: Multicast<() -> Void>, captive: (number: Int, registration: Registration)?
  ) {
    let capture = Capture(captive: captive?.registration)
    touch()
    let number = enter(capture, kind: 0, captive: captive?.number)
    tokens.append((number, multicast.add(callback(number, capture), kind: 0)))
  }

  private func addForGood(to multicast: Multicast<() -> Void>) {
    let capture = Capture(captive: nil)
    touch()
    let number = enter(capture, kind: 1, captive: nil)
    multicast.addForGood(callback(number, capture), kind: 1)
  }

  private func cancelToken() {
    guard let token = tokens.randomElement(using: &random) else { return }
    token.registration.cancel()
    end(token.number)
  }

  private func removeAll(of multicast: Multicast<() -> Void>) {
    multicast.removeAll()
    touch()
    for number in entries.indices { end(number) }
    touch()
  }

  private func removeKind(of multicast: Multicast<() -> Void>) {
    multicast.removeNodes { $0.kind == 1 }
    touch()
    for number in entries.indices where entries[number].kind == 1 { end(number) }
    touch()
  }

  private func deliver(through multicast: Multicast<() -> Void>) {
    touch()
    deliveries.append(entries.indices.filter { entries[$0].isLive }[...])
    multicast.invokeEach { $0() }
    let left = deliveries.removeLast().filter { entries[$0].isLive }
    expect(left.isEmpty, "\(left) were not called")
    touch()
  }

  private func compact(_ multicast: Multicast<() -> Void>) {
    multicast.compact()
    touch()
    let live = entries.count { $0.isLive }
    expect(multicast.count == live, "\(multicast.count) are counted, \(live) are live")
  }

  /// A callback was called: it has to be the next that the innermost delivery owes.
  private func hear(_ number: Int) {
    guard var pending = deliveries.popLast() else { return expect(false, "called from nowhere") }
    pending = pending.drop { !entries[$0].isLive }
    expect(pending.first == number, "\(number) was called, not \(pending.first ?? -1)")
    deliveries.append(pending.dropFirst())
    while budget > 0, fault == nil, Int.random(in: 0..<3, using: &random) == 0 { step() }
  }

  // MARK: The model

  private func enter(_ capture: Capture, kind: UInt8, captive: Int?) -> Int {
    entries.append(Entry(kind: kind, captive: captive, capture: capture))
    return entries.count - 1
  }

  private func callback(_ number: Int, _ capture: Capture) -> () -> Void {
    { [unowned self] in withExtendedLifetime(capture) { hear(number) } }
  }

  private func takeToken() -> (number: Int, registration: Registration)? {
    tokens.isEmpty ? nil : tokens.remove(at: Int.random(in: tokens.indices, using: &random))
  }

  private func end(_ number: Int) { entries[number].isLive = false }

  /// What ended is released by the next use outside any delivery, with all that hangs on it.
  private func touch() {
    guard deliveries.isEmpty else { return }
    while let number = entries.firstIndex(where: { !$0.isLive && !$0.isReleased }) {
      entries[number].isReleased = true
      if let captive = entries[number].captive { end(captive) }
    }
  }

  private func expect(_ isRight: Bool, _ complaint: @autoclosure () -> String) {
    if !isRight, fault == nil { fault = complaint() }
  }
}
