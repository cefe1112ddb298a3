import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation

/// A schedule that stands for a while: workers start its ticks, and people change it meanwhile.
extension Simulation {
  func schedule() async throws {
    let name = SimulatedWorld.scheduleName
    let start = now
    let stage = SimulatedStage(length: world.number(0...2))
    let options = ScheduleOptions(
      missed: [.skip, .once, .each(atMost: 100)][world.number(0...2)],
      overlap: [.allow, .skip, .queue(atMost: world.number(1...3))][world.number(0...2)],
      tolerance: .seconds(world.number(1...30)),
      concurrencyKey: world.percent() < 50 ? "0" : nil)
    let timing = ScheduleTiming.every(.seconds(world.number(8...40)), from: start.date)
    world.mayOverlap(options.overlap == .allow)
    _ = try await world.memory.set(
      FlowSchedule(
        name: name, flow: "simulated", version: 1,
        stage: String(decoding: try StageJSON.data(of: stage), as: UTF8.self), timing: timing,
        options: options), by: "person", at: start)
    var isEachStarted = options.overlap == .allow && options.missed == .each(atMost: 100)
    for _ in 0..<world.number(0...3) {
      try await world.nap(upTo: 40)
      if world.percent() < 50 {
        let id = newID()
        world.startsByHand(id)
        _ = try await world.memory.runNow(name, by: "person", at: now) { _ in id }
      } else {
        try await world.memory.pauseSchedule(name, by: "person", at: now)
        try await world.nap(upTo: 40)
        _ = try await world.memory.resumeSchedule(name, by: "person", at: now)
        isEachStarted = false
      }
    }
    try await world.nap(upTo: 60)
    let last = try await world.memory.schedules().first.map { try ScheduleStatus($0) }
    _ = try await world.memory.removeSchedule(name, by: "person", at: now)
    guard isEachStarted, let next = last?.progress.nextTick else { return }
    var ticks: [Date] = []
    while let tick = timing.next(after: ticks.last ?? start.date), tick < next {
      ticks.append(tick)
    }
    world.examineTicks(areAll: ticks, before: next)
  }
}

// MARK: Its ticks

extension SimulatedWorld {
  static let scheduleName = "clock"

  /// What is known of the ticks of the schedule.
  struct Ticks {
    var mayOverlap = false
    /// Those that were started, in their order.
    var started: [(tick: Date, run: RunID)] = []
    /// The runs that a person has started beside the ticks.
    var byHand: Set<RunID> = []
  }

  func mayOverlap(_ mayOverlap: Bool) {
    withTicks { $0.mayOverlap = mayOverlap }
  }

  func startsByHand(_ id: RunID) {
    withTicks { _ = $0.byHand.insert(id) }
  }

  /// A worker has started runs of ticks.
  ///
  /// - Parameter runs: all runs afterwards.
  func started(_ starts: [RunStart], among runs: [RunRecord]) {
    for start in starts {
      guard case .date(let tick) = start.attributes[ScheduleOptions.tickAttribute] else {
        violation("\(start.id) has no tick")
        continue
      }
      let last = withTicks { ticks in
        defer { ticks.started.append((tick, start.id)) }
        return ticks.started.last?.tick
      }
      if let last, last >= tick { violation("the tick \(tick) was started after \(last)") }
    }
    let (mayOverlap, ids) = withTicks { ($0.mayOverlap, Set($0.started.map(\.run))) }
    let open = runs.count { ids.contains($0.id) && !$0.state.isOver }
    if !mayOverlap, open > 1 { violation("\(open) ticks are under way at once") }
  }

  func examineTicks(areAll ticks: [Date], before end: Date) {
    let started = withTicks { $0.started.map(\.tick) }.filter { $0 < end }
    if started != ticks { violation("the ticks \(started) were started, of \(ticks)") }
  }

  /// Holds the runs of the schedule, at the end, against the ticks that were started.
  func examineTicks(_ runs: [RunRecord]) {
    let found = runs.filter {
      $0.origin == nil
        && $0.attributes[ScheduleOptions.scheduleAttribute] == .string(Self.scheduleName)
    }
    let (started, byHand) = withTicks { (Set($0.started.map(\.run)), $0.byHand) }
    if Set(found.map(\.id)).subtracting(byHand) != started {
      violation("the runs of the schedule are \(found.map(\.id)), its starts \(started)")
    }
  }
}
