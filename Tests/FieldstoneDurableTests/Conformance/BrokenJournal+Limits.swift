import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation

/// Broken in how limits are kept.
extension BrokenJournal {
  static var limits: [Self] {
    [
      Self(.limits, "limits are replaced by each runner") {
        $0.onSetLimits = { base, limits, flow, _, time in
          try await base.setLimits(limits, of: flow, replacing: true, at: time)
        }
      },
      Self(.flowLimit, "a flow has no limit") { $0.onSetLimits = setting { $0.runs = nil } },
      Self(.flowLimit, "a limit is passed by one") {
        $0.onSetLimits = setting { $0.runs = $0.runs.map { $0 + 1 } }
      },
      Self(.flowLimit, "a wait leaves the place of the flow") {
        $0.onSetLimits = setting { $0.counting = .executing }
      },
      Self(.flowLimit, "a wait leaks a place of the flow") {
        $0.onSetLimits = setting { $0.counting = .wholeRun }
      },
      Self(.flowLimit, "a dead run leaves its place of the flow") {
        $0.onSetLimits = setting { $0.whenStuck = .releases }
      },
      Self(.flowLimit, "a dead run never leaves its place of the flow") {
        $0.onSetLimits = setting { $0.whenStuck = .holds }
      },
      Self(.flowLimit, "a death leaks a place") {
        $0.onPark = { base, parking, time in
          if case .dead = parking.reason { return }
          try await base.park(parking, at: time)
        }
      },
      Self(.keyPlaces, "a key has no limit") { $0.onSetLimits = setting { $0.perKey = nil } },
      Self(.keyPlaces, "a wait leaves the place") {
        $0.onSetLimits = setting { $0.perKey?.counting = .executing }
      },
      Self(.keyPlaces, "a wait leaks a place") {
        $0.onSetLimits = setting { $0.perKey?.counting = .wholeRun }
      },
      Self(.keyPlaces, "a dead run leaves its place") {
        $0.onSetLimits = setting { $0.perKey?.whenStuck = .releases }
      },
      Self(.keyPlaces, "a dead run never leaves its place") {
        $0.onSetLimits = setting { $0.perKey?.whenStuck = .holds }
      },
      Self(.keyPlaces, "the order of starting is turned round") {
        $0.onStart = { base, start, time in
          var start = start
          start.priority = Int(time.uptime / .seconds(1)) % 900
          return try await base.start(start, at: time)
        }
      },
      Self(.keyPlaces, "a purge of a dead run keeps its place") {
        $0.onPurgeRun = { base, id, actor, time in
          if try await base.run(id)?.state == .dead { return }
          try await base.purge(id, by: actor, at: time)
        }
      },
      Self(.keyPlaces, "of the runs that are started in one call the last is the first") {
        $0.onStarts = { base, starts, time in
          var starts = starts
          for place in starts.indices where starts[place].concurrencyKey != nil {
            starts[place].priority = place
          }
          return await base.start(starts, at: time)
        }
      },
      Self(.rate, "another attempt is free") {
        $0.onPark = { base, parking, time in
          try await base.park(parking, at: time)
          guard case .retry = parking.reason, let run = try await base.run(parking.claim.id),
            let limits = try await base.flowLimits()[run.flow]
          else { return }
          _ = try await base.setLimits(nil, of: run.flow, replacing: true, at: time)
          _ = try await base.setLimits(limits, of: run.flow, replacing: true, at: time)
        }
      },
      Self(.rate, "there is no rate") { $0.onSetLimits = setting { $0.rate = nil } },
      Self(.rate, "the period is half as long") {
        $0.onSetLimits = setting { limits in
          limits.rate = limits.rate.map { .init($0.count, each: $0.period / 2) }
        }
      },
    ]
  }

  /// Sets other limits than those that are asked for.
  private static func setting(
    _ change: @escaping @Sendable (inout FlowLimits) -> Void
  )
    -> @Sendable (
      InMemoryJournal, FlowLimits?, String, Bool, JournalTime
    ) async throws -> FlowLimits?
  {
    { base, limits, flow, replacing, time in
      var limits = limits
      if var changed = limits {
        change(&changed)
        limits = changed
      }
      return try await base.setLimits(limits, of: flow, replacing: replacing, at: time)
    }
  }
}
