import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("An integrator against a model of what it promises")
@MainActor
struct IntegratorPropertyTests {
  /// A real integrator and the model, moved together.
  @MainActor
  final class Pair {
    let provider: HandProvider<Int, Traced>
    let time = ManualTime()
    var integrator: Integrator<Int, Traced>?
    var model: ModelIntegrator
    var calls: [Call<Traced>] = []
    var changes: [Int: LocalChange<Traced>] = [:]
    var ends: [Int: [String]] = [:]
    var events: [Int: [String]] = [:]
    var newestShown = 0

    /// What was done, for whoever has to read a failure.
    var story: [String] = []

    init(_ policy: ModelIntegrator.Policy, heeds: Bool) {
      provider = HandProvider(heedsCancellation: heeds)
      model = ModelIntegrator(policy)
      integrator = Integrator(
        provider: provider, policy: Self.policy(policy), errorHandlers: ErrorHandlers(),
        time: time.source)
    }

    static func policy(_ policy: ModelIntegrator.Policy) -> CallPolicy<Int> {
      switch policy {
      case .concurrent: .concurrent
      case .reject: .only(.reject)
      case .join: .only(.join)
      case .queue: .queue(limit: ModelIntegrator.queueLimit)
      case .latest: .latest
      case .debounced: .latest(debounce: .seconds(ModelIntegrator.debounce))
      }
    }

    /// Does one random thing to both, and waits until the integrator has come to rest.
    func act(using random: inout SeededGenerator) async {
      let loads = model.loadCount
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<6:
        start(Int.random(in: 0..<2, using: &random), retries: Int.random(in: 0..<6, using: &random))
      case 6, 7: if let call = calls.indices.randomElement(using: &random) { cancel(call) }
      case 8..<11 where loads > 0:
        await succeed(Int.random(in: 0..<loads, using: &random))
      case 11..<13 where loads > 0:
        await fail(Int.random(in: 0..<loads, using: &random))
      case 13 where loads > 0: await early(Int.random(in: 0..<loads, using: &random))
      case 14:
        story.append("advance")
        time.advance(by: .seconds(1))
        model.advance()
      case 15, 16: change(story.count)
      case 17:
        if let id = changes.keys.sorted().randomElement(using: &random) {
          story.append("roll back \(id)")
          changes[id]?.rollBack()
          if model.pendingChanges.contains(id) { model.rollBack(id) }
        }
      case 18:
        if let id = changes.keys.sorted().randomElement(using: &random) {
          story.append("confirm \(id)")
          changes[id]?.confirm()
          if model.pendingChanges.contains(id) { model.confirm(id) }
        }
      case 19 where Bool.random(using: &random):
        story.append("receive")
        integrator?.receive(model.receive())
      case 19 where Int.random(in: 0..<3, using: &random) == 0:
        story.append("cancel all")
        integrator?.cancelAll()
        model.stopAll("cancelled caller")
      default: break
      }
      // Every load that the model expects has begun.
      if model.loadCount > 0 { _ = await provider.load(model.loadCount - 1) }
    }

    private func start(_ parameter: Int, retries: Int) {
      // Two that go on at once would begin their loads in no order.
      let retries = model.mayGoOn(parameter) ? 0 : max(0, retries - 3)
      let call = calls.count
      story.append("start \(parameter) with \(retries) retries")
      var isStarting = true
      func end(_ text: String) {
        if isStarting { events[call, default: []].append("heard within start") }
        ends[call, default: []].append(text)
      }
      calls.append(
        integrator!.call(parameter)
          .retry(RetryPolicy(maximumAttempts: retries + 1, baseDelay: .zero))
          .onBeginning { self.events[call, default: []].append("beginning") }
          .onSuccess { _ in self.events[call, default: []].append("end") }
          .onError { _ in self.events[call, default: []].append("end") }
          .onCompletion { end($0.kind) }
          .start())
      isStarting = false
      model.start(parameter, retries: retries)
    }

    private func cancel(_ call: Int) {
      story.append("cancel \(call)")
      calls[call].cancel()
      model.cancel(call)
    }

    private func succeed(_ load: Int) async {
      story.append("succeed \(load)")
      let value = Traced(origin: model.origin(of: load))
      let waiting = model.flight(of: load).map { model.flights[$0].calls } ?? []
      await provider.load(load).succeed(value)
      model.succeed(load)
      for call in waiting { _ = await calls[call].outcome }
    }

    private func fail(_ load: Int) async {
      story.append("fail \(load)")
      let waiting = model.flight(of: load).map { model.flights[$0].calls } ?? []
      await provider.load(load).fail(Trouble(number: load))
      model.fail(load, load)
      for call in waiting where model.calls[call].end != nil { _ = await calls[call].outcome }
    }

    private func early(_ load: Int) async {
      story.append("early \(load)")
      await provider.load(load).events.early(Traced(origin: model.origin(of: load)))
      model.early(load)
      await turnOfTheMainActor()
    }

    private func change(_ id: Int) {
      story.append("change \(id)")
      changes[id] = integrator?.update { $0.changes.append(id) }
      model.update(id)
    }

    /// What is not as it should be.
    var complaint: String? {
      for (call, expected) in model.calls.enumerated() {
        let real = calls[call].currentOutcome?.kind
        if real != expected.end { return "call \(call) is \(real ?? "open"), not \(expected)" }
      }
      if provider.loadCount != model.loadCount {
        return "\(provider.loadCount) loads, not \(model.loadCount)"
      }
      guard let phase = integrator?.phase else { return nil }
      if let shown = phase.value {
        if shown.origin < newestShown { return "stale: \(shown) after \(newestShown)" }
        newestShown = shown.origin
      }
      let text = phase.kind
      return text == model.phase ? nil : "phase is \(text), not \(model.phase)"
    }

    /// Releases the integrator, answers what is left, and looks at what was heard.
    func finish() async -> String? {
      integrator = nil
      model.stopAll("cancelled released")
      for load in 0..<model.loadCount { await provider.load(load).succeed(Traced(origin: -1)) }
      await turnOfTheMainActor()
      await turnOfTheMainActor()
      if let complaint { return complaint }
      for (call, expected) in model.calls.enumerated() {
        if ends[call] != [expected.end ?? "open"] {
          return "call \(call) was heard to end as \(ends[call] ?? []), not \(expected)"
        }
        let kinds = events[call] ?? []
        if kinds.count > 2 || (kinds.last == "end" && kinds != ["beginning", "end"])
          || kinds.contains("heard within start")
        {
          return "call \(call) heard \(kinds)"
        }
      }
      return nil
    }
  }

  @Test(
    "Random calls, cancels, answers, late and lost ones, retries and changes",
    arguments: ModelIntegrator.Policy.allCases, [true, false])
  func sequences(policy: ModelIntegrator.Policy, heeds: Bool) async {
    for seed in 0..<UInt64(Rounds.of(2_000)) {
      var random = SeededGenerator(seed: seed)
      let pair = Pair(policy, heeds: heeds)
      var complaint: String?
      for _ in 0..<14 where complaint == nil {
        await pair.act(using: &random)
        complaint = pair.complaint
      }
      if complaint == nil { complaint = await pair.finish() }
      guard let complaint else { continue }
      Issue.record("seed \(seed): \(complaint)\n\(pair.story.joined(separator: "; "))")
      return
    }
  }
}

extension Outcome {
  fileprivate var kind: String {
    if case .success = self { "success" } else { text }
  }
}

extension LoadPhase {
  fileprivate var kind: String {
    let value = value.map { "\($0)" } ?? "nothing"
    return switch self {
    case .idle: "idle"
    case .loading: "loading \(value)"
    case .loaded: "loaded \(value)"
    case .failed(let error, _): "failed \((error as? Trouble)?.number ?? -1) \(value)"
    }
  }
}
