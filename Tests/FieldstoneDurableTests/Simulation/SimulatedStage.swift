import FieldstoneDurable
import Foundation

/// A stage that does what chance says; its state tells whether anything was done twice.
struct SimulatedStage: DurableStage, Equatable {
  /// How many stages are behind it: the same as its number in the chain.
  var number = 0
  /// How many stages there are.
  var length: Int
  /// How many ancestors its run has.
  var depth = 0
  /// What its signals said.
  var heard: [Int] = []

  func next(in context: DurableContext<SimulatedServices>) async throws -> DurableStep<Self, [Int]>
  {
    let services = context.services
    services.world.begin(self, in: context, worker: services.worker)
    defer { services.world.end(context, worker: services.worker) }
    if services.world.ends(context) {
      services.die()
      // Its worker is no more; nothing comes of it, whatever it does.
      try await services.world.nap(upTo: 60)
      throw SimulatedError.failed
    }
    var outcomes: [String] = []
    for try await child in context.children {
      outcomes.append("\(child.id) \(child.end?.rawValue ?? "open")")
    }
    services.world.read(outcomes, in: context)
    var next = self
    next.number += 1
    if let word = try context.signal(as: Int.self) {
      if word == Self.call { services.world.count("called") } else { next.heard.append(word) }
    }
    switch services.world.percent() {
    case ..<10:
      // Longer than a lease perhaps; it heeds its cancellation.
      try await services.world.nap(upTo: 60)
    case ..<20:
      // It does not heed it.
      try? await services.world.nap(upTo: 60)
    case ..<24: await services.world.deafNap(upTo: 60)
    case ..<35: throw SimulatedError.failed
    case ..<37: throw CancellationError()
    default: break
    }
    try startAndSignal(in: context)
    if number == length { return .complete(next.heard) }
    switch services.world.percent() {
    case ..<60: return .advance(to: next)
    case ..<75: return .wait(until: services.world.date(within: 60), then: next)
    case ..<81:
      return .receive("word", until: services.world.date(within: 60), then: next)
    case ..<87:
      return .receive("never", "word", until: services.world.date(within: 60), then: next)
    case ..<96 where depth < 2 && services.world.allowsChildren:
      let children = try (0..<services.world.number(1...4)).map { _ in
        let stage = Self(length: services.world.number(0...2), depth: depth + 1)
        return try context.child(stage, isDetached: services.world.percent() < 20)
      }
      let date = services.world.percent() < 30 ? services.world.date(within: 60) : nil
      let policy = JoinPolicy.allCases[services.world.number(0...2)]
      return .join(children, when: policy, until: date, then: next)
    default: return .receive("never", until: services.world.date(within: 60), then: next)
    }
  }
}

extension SimulatedStage {
  /// What stages signal to others.
  static let call = 1_000

  /// Starts another run with the step, or signals one, by chance; a run that is over refuses that.
  private func startAndSignal(in context: DurableContext<SimulatedServices>) throws {
    let world = context.services.world
    if depth == 0, world.percent() < 12 {
      var options = RunOptions(
        notBefore: world.percent() < 20 ? world.date(within: 60) : nil,
        priority: world.number(-1...1),
        concurrencyKey: world.percent() < 40 ? "\(world.number(0...1))" : nil)
      let key = world.percent() < 30 ? "started \(world.number(0...1))" : nil
      // A journal with a codec can't replace a stage within a step.
      options.ifTaken = world.percent() < 50 ? .existing : .restartIfOver
      try context.start(Self(length: world.number(0...1), depth: 2), key: key, options: options)
    }
    if world.percent() < 8, let run = world.target() {
      try context.send("never", Self.call, to: run)
    }
  }
}

/// What the stages of a worker work with.
struct SimulatedServices: Sendable {
  let world: SimulatedWorld
  let worker: String
  /// Ends the worker, as if its process had been killed.
  let die: @Sendable () -> Void
}

enum SimulatedError: Error { case failed }
