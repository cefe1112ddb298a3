import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation

/// Broken in how schedules are kept.
extension BrokenJournal {
  static var schedules: [Self] {
    [
      Self(.schedules, "schedules are not listed") { $0.onSchedules = { _ in [] } },
      Self(.schedules, "schedules are listed in any order") {
        $0.onSchedules = { try await $0.schedules().reversed() }
      },
      Self(.schedules, "a removed schedule stays") {
        $0.onSetSchedule = { base, name, old, new, starts, time in
          try await base.setSchedule(
            name, from: old, to: new ?? old, starting: starts, at: time)
        }
      },
      Self(.schedules, "a long definition is taken") {
        $0.onSetSchedule = { base, name, old, new, starts, time in
          do {
            return try await base.setSchedule(name, from: old, to: new, starting: starts, at: time)
          } catch JournalError.tooLarge where starts.isEmpty { return true }
        }
      },
      Self(.scheduleOnce, "the old record is not compared") {
        $0.onSetSchedule = { base, name, _, new, starts, time in
          try await base.setSchedule(
            name, from: kept(base, name), to: new, starting: starts, at: time)
        }
      },
      Self(.scheduleOnce, "the definition is not compared") {
        $0.onSetSchedule = { base, name, old, new, starts, time in
          var old = old
          if old != nil, let now = try await kept(base, name) { old?.definition = now.definition }
          return try await base.setSchedule(name, from: old, to: new, starting: starts, at: time)
        }
      },
      Self(.scheduleOnce, "the progress is not compared") {
        $0.onSetSchedule = { base, name, old, new, starts, time in
          var old = old
          if old != nil, let now = try await kept(base, name) { old?.progress = now.progress }
          return try await base.setSchedule(name, from: old, to: new, starting: starts, at: time)
        }
      },
      Self(.scheduleOnce, "one who comes too late starts all the same") {
        $0.onSetSchedule = { base, name, old, new, starts, time in
          let isMade = try await base.setSchedule(
            name, from: old, to: new, starting: starts, at: time)
          if !isMade { for start in starts { _ = try await base.start(start, at: time) } }
          return isMade
        }
      },
      Self(.scheduleOnce, "nothing is started") {
        $0.onSetSchedule = { base, name, old, new, _, time in
          try await base.setSchedule(name, from: old, to: new, starting: [], at: time)
        }
      },
      Self(.scheduleOnce, "a refused start leaves those before it") {
        $0.onSetSchedule = { base, name, old, new, starts, time in
          if try await kept(base, name) == old {
            for start in starts { _ = try await base.start(start, at: time) }
          }
          return try await base.setSchedule(name, from: old, to: new, starting: starts, at: time)
        }
      },
      Self(.scheduleOnce, "the schedule is changed without a start that is refused") {
        $0.onSetSchedule = { base, name, old, new, starts, time in
          let isMade = try await base.setSchedule(
            name, from: old, to: new, starting: [], at: time)
          if isMade { for start in starts { _ = try await base.start(start, at: time) } }
          return isMade
        }
      },
      Self(.scheduleOnce, "everybody has won") {
        $0.onSetSchedule = { base, name, old, new, starts, time in
          _ = try await base.setSchedule(name, from: old, to: new, starting: starts, at: time)
          return true
        }
      },
      Self(.scheduleDue, "no schedule is due") { $0.onClaim = telling { _ in nil } },
      Self(.scheduleDue, "all schedules are due") {
        $0.onClaim = { base, request, time in
          var claim = try await base.claim(request, at: time)
          claim.schedules?.due = try await base.schedules()
          return claim
        }
      },
      Self(.scheduleDue, "it is not told when the next one is due") {
        $0.onClaim = telling { told in
          var told = told
          told.nextAt = nil
          return told
        }
      },
      Self(.scheduleDue, "they are told in the order of their names") {
        $0.onClaim = telling { told in
          var told = told
          told.due.sort { $0.name > $1.name }
          return told
        }
      },
      Self(.scheduleDue, "a worker without room is told of none") {
        $0.onClaim = { base, request, time in
          var claim = try await base.claim(request, at: time)
          if request.flows.isEmpty { claim.schedules = nil }
          return claim
        }
      },
    ]
  }

  private static func kept(
    _ base: InMemoryJournal, _ name: String
  ) async throws -> ScheduleRecord? {
    try await base.schedules().first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  private static func telling(
    _ change: @escaping @Sendable (DueSchedules) -> DueSchedules?
  ) -> @Sendable (InMemoryJournal, ClaimRequest, JournalTime) async throws -> Claim {
    { base, request, time in
      var claim = try await base.claim(request, at: time)
      claim.schedules = claim.schedules.flatMap(change)
      return claim
    }
  }
}
