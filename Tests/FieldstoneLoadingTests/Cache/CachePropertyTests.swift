import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("Caches under random interleavings")
struct CachePropertyTests {
  @Test(
    "Calls, cancels, late answers, invalidations and time, in any order, do as the model says",
    .timeLimit(.minutes(20)), arguments: [0, 1, 2, 3])
  func interleavings(part: UInt64) async throws {
    let seed = UInt64.random(in: 0 ..< .max / 2)
    print("cache interleavings, part \(part): seed \(seed)")
    for sequence in 0..<Rounds.of(2_500) {
      var run = CacheRun(seed: seed &+ UInt64(sequence) &* 4 &+ part)
      try await run.play(steps: 24)
      #expect(run.complaints == [], "seed \(seed), part \(part), sequence \(sequence)")
      if !run.complaints.isEmpty { return }
    }
  }
}

/// One random sequence, played to a cache and to its model.
struct CacheRun {
  private typealias Place = SharedWork<String>.Admission

  private let source = ManualProvider<Int, String>(heedsCancellation: false)
  private let time = ManualTime()
  private let store: CacheStore<Int, String>
  private var model = CacheModel()
  private var random: SeededGenerator
  private var loads: [ManualProvider<Int, String>.Load] = []
  private var unanswered: Set<Int> = []
  private var members: [Int: SharedWork<String>.Member] = [:]
  private var loadOf: [Int: Int] = [:]
  private var keyOf: [Int: Int] = [:]
  private var heard: [Recorder<String>] = []
  private var reportCount = 0
  private var leftKeys: [Int] = []
  private(set) var complaints: [String] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    store = CacheStore(
      freshFor: .seconds(10), staleFor: .seconds(5), limit: .count(2), time: time.source)
  }

  mutating func play(steps: Int) async throws {
    for _ in 0..<steps where complaints.isEmpty {
      switch Int.random(in: 0..<100, using: &random) {
      case ..<35: await call(Int.random(in: 0..<3, using: &random))
      case ..<50: await leave()
      case ..<65: await answer(failing: Int.random(in: 0..<4, using: &random) == 0)
      case ..<75: report()
      case ..<83: invalidate(Int.random(in: 0..<3, using: &random))
      case ..<86: invalidateWhere()
      case ..<90: letGo()
      default: advance()
      }
      await compare()
    }
    for load in unanswered { loads[load].fail(Failure.broken) }
  }

  private mutating func call(_ key: Int) async {
    let recorder = Recorder<String>()
    heard.append(recorder)
    let member = heard.count - 1
    let expected = model.call(key)
    let entrance = store.enter(key, events: .recording(recorder)) { [source] events in
      try await source.load(key, reporting: events)
    }
    switch (entrance, expected) {
    case (.fresh(let value), .fresh(let known)):
      check(value == known, "fresh \(value) instead of \(known)")
    case (.shared(let place), .begins(let load)):
      check(place.isFirst, "joined where load \(load) should have begun")
      guard complaints.isEmpty else { return }
      place.begin()
      members[member] = place.member
      loadOf[member] = load
      loads.append(await source.load(at: load))
      unanswered.insert(load)
    case (.shared(let place), .joins):
      check(!place.isFirst, "began anew instead of joining")
      place.begin()
      members[member] = place.member
      loadOf[member] = model.current[key]
    default: complaints.append("\(entrance) instead of \(expected)")
    }
    keyOf[member] = key
  }

  private mutating func leave() async {
    guard let member = members.keys.sorted().randomElement(using: &random),
      let load = loadOf[member], let key = keyOf[member]
    else { return }
    let isLast = model.leave(member, of: load)
    members[member]?.leave()
    await expectEnd(of: member, value: nil)
    // As a cached provider does when its caller was cancelled: at once, or later.
    if Bool.random(using: &random) { store.letGo(of: key) } else { leftKeys.append(key) }
    if isLast { await loads[load].cancelled() }
    check(loads[load].isCancelled == isLast, "load \(load) is cancelled: \(!isLast)")
  }

  private mutating func letGo() {
    for key in leftKeys { store.letGo(of: key) }
    leftKeys = []
  }

  private mutating func answer(failing: Bool) async {
    guard let load = unanswered.sorted().randomElement(using: &random) else { return }
    unanswered.remove(load)
    let value = failing ? nil : "value \(load)"
    let waiting = model.answer(load, with: value)
    if let value { loads[load].succeed(value) } else { loads[load].fail(Failure.broken) }
    for member in waiting { await expectEnd(of: member, value: value) }
  }

  private mutating func expectEnd(of member: Int, value: String?) async {
    guard let place = members.removeValue(forKey: member) else { return }
    let ending = try? await place.value
    check(ending == value, "member \(member) got \(ending ?? "nothing"), not \(value ?? "nothing")")
  }

  /// Of any load that was not answered, those included that everybody left.
  private mutating func report() {
    guard let load = unanswered.sorted().randomElement(using: &random) else { return }
    reportCount += 1
    if Bool.random(using: &random) {
      let value = "early \(load) \(reportCount)"
      model.early(value, of: load)
      loads[load].events.early(value)
    } else {
      let part = Double(reportCount) / 100
      model.progress("\(part)", of: load)
      loads[load].events.progress(.fraction(part))
    }
  }

  private mutating func invalidate(_ key: Int) {
    model.invalidate(key)
    store.invalidate(key)
  }

  private mutating func invalidateWhere() {
    for key in [0, 2] { model.invalidate(key) }
    store.invalidate { $0.isMultiple(of: 2) }
  }

  private mutating func advance() {
    let seconds = Int.random(in: 1...9, using: &random)
    model.now += seconds
    time.advance(by: .seconds(seconds))
  }

  private mutating func compare() async {
    check(store.count == model.entries.count, "\(store.count) kept")
    if leftKeys.isEmpty {
      check(store.flightCount == model.current.count, "\(store.flightCount) under way")
    }
    check(source.loadCount == model.loadCount, "\(source.loadCount) loads")
    for (member, recorder) in heard.enumerated() {
      // Reports to several members are delivered by tasks of their own.
      let heard = await recorder.elements(atLeast: model.heard[member].count)
      check(
        heard == model.heard[member], "member \(member) heard \(heard), not \(model.heard[member])")
    }
  }

  private mutating func check(_ isRight: Bool, _ complaint: String) {
    if !isRight { complaints.append(complaint) }
  }
}
