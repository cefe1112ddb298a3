import FieldstoneCore
import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation

/// Broken in how runs are started and claimed.
extension BrokenJournal {
  /// Changes what is started.
  private static func starting(
    _ change: @escaping @Sendable (inout RunStart) -> Void
  ) -> @Sendable (InMemoryJournal, RunStart, JournalTime) async throws -> RunRecord {
    { base, start, time in
      var start = start
      change(&start)
      return try await base.start(start, at: time)
    }
  }

  private static func sampleID() -> RunID {
    RunID(at: Date(timeIntervalSinceReferenceDate: 800_000_000))
  }

  static var starts: [Self] {
    [
      Self(.start, "the version is forgotten") {
        $0.onStart = { base, start, time in
          var start = start
          start.version = 1
          return try await base.start(start, at: time)
        }
      },
      Self(.start, "what is started is not there") { $0.onRun = { _, _ in nil } },
      Self(.start, "what is started begins at 1") {
        $0.onRun = { base, id in
          var run = try await base.run(id)
          run?.sequence += 1
          return run
        }
      },
      Self(.takenKey, "what has not begun is never replaced") {
        $0.onStart = starting { if $0.ifTaken == .replaceUnlessBegun { $0.ifTaken = .existing } }
      },
      Self(.takenKey, "a replaced run keeps its deadline and its attributes") {
        $0.onStart = { base, start, time in
          var start = start
          if start.ifTaken == .replaceUnlessBegun, let key = start.key,
            let old = try await base.runs(RunQuery(flow: start.flow, key: key)).runs.first
          {
            if start.deadline == nil { start.deadline = old.deadline }
            if start.attributes.isEmpty { start.attributes = old.attributes }
          }
          return try await base.start(start, at: time)
        }
      },
      Self(.takenKey, "what is over keeps its key") {
        $0.onStart = starting { if $0.ifTaken == .restartIfOver { $0.ifTaken = .existing } }
      },
      Self(.takenKey, "a start that is repeated replaces once more") {
        $0.onStart = { base, start, time in
          var start = start
          if start.ifTaken == .replaceUnlessBegun { start.id = sampleID() }
          return try await base.start(start, at: time)
        }
      },
      Self(.notBefore, "the time of a start is forgotten") {
        $0.onStart = starting { $0.notBefore = nil }
      },
      Self(.notBefore, "a start waits for twice as long") {
        $0.onStart = { base, start, time in
          var start = start
          start.notBefore = start.notBefore.map { $0 + $0.timeIntervalSince(time.date) }
          return try await base.start(start, at: time)
        }
      },
      Self(.priority, "priorities are forgotten") { $0.onStart = starting { $0.priority = 0 } },
      Self(.priority, "the lower priority goes first") {
        $0.onStart = starting { $0.priority *= -1 }
      },
      Self(.priority, "a level is two hours of waiting") {
        $0.onStart = starting { $0.priority *= 2 }
      },
      Self(.key, "a key is free again once its run is over") {
        $0.onStart = { base, start, time in
          var start = start
          let owner = try await base.runs(RunQuery(flow: start.flow, key: start.key)).runs.first
          if owner?.state.isOver == true { start.key = nil }
          return try await base.start(start, at: time)
        }
      },
      Self(.key, "a key is that of all flows") {
        $0.onStart = { base, start, time in
          if let key = start.key, let owner = try await base.runs(RunQuery(key: key)).runs.first {
            return owner
          }
          return try await base.start(start, at: time)
        }
      },
      Self(.key, "the second start is answered with its own payload") {
        $0.onStart = { base, start, time in
          var run = try await base.start(start, at: time)
          run.payload = start.payload
          return run
        }
      },
      Self(.key, "there is one run without a key") {
        $0.onStart = { base, start, time in
          var start = start
          start.key = start.key ?? ""
          return try await base.start(start, at: time)
        }
      },
      Self(.payloadLimit, "a byte too many is taken") {
        $0.base = InMemoryJournal(limits: PayloadLimits(error: PayloadLimits().error + 1))
      },
      Self(.keyLimit, "any key is taken") {
        $0.onStart = { base, start, time in
          var start = start
          start.key = start.key.map { String($0.prefix(20)) }
          return try await base.start(start, at: time)
        }
      },
      Self(.payloadLimit, "the last byte is refused") {
        $0.base = InMemoryJournal(limits: PayloadLimits(error: PayloadLimits().error - 1))
      },
    ]
  }

  /// Claims of a worker that wants something else of the quarantine, after as many crashes.
  private static func wanting(
    _ wanted: @escaping @Sendable (Int) -> ClaimRequest.Quarantine
  ) -> @Sendable (InMemoryJournal, ClaimRequest, JournalTime) async throws -> Claim {
    { base, request, time in
      var request = request
      switch request.quarantine {
      case .disregarded: break
      case .left(let crashes), .group(let crashes), .alone(let crashes):
        request.quarantine = wanted(crashes)
      }
      return try await base.claim(request, at: time)
    }
  }

  static var claims: [Self] {
    [
      Self(.claim, "a claim is answered with the run as it was") {
        $0.onClaim = answering { $0.record.state = .ready }
      },
      Self(.claim, "nobody is written down") { $0.onClaim = answering { $0.record.worker = nil } },
      Self(.claim, "dead runs are claimed") {
        $0.onPark = { base, parking, time in
          var parking = parking
          if case .dead(let error) = parking.reason {
            parking.reason = .retry(at: time.date, error: error)
          }
          try await base.park(parking, at: time)
        }
      },
      Self(.order, "the latest first") {
        $0.onClaim = { base, request, time in
          var claim = try await base.claim(request, at: time)
          claim.runs.reverse()
          return claim
        }
      },
      Self(.order, "flow by flow") {
        $0.onClaim = { base, request, time in
          var claim = try await base.claim(request, at: time)
          let flows = request.flows.map(\.flow)
          claim.runs = flows.flatMap { flow in claim.runs.filter { $0.record.flow == flow } }
          return claim
        }
      },
      Self(.room, "one more than there is room for") {
        $0.onClaim = asking { if 1..<Int.max ~= $0.limit { $0.limit += 1 } }
      },
      Self(.room, "none where there is room for all") {
        $0.onClaim = asking { if $0.limit == .max { $0.limit = 0 } }
      },
      Self(.room, "as many as there is room for, of all flows") {
        $0.onClaim = { base, request, time in
          var request = request
          request.limit = .max
          return try await base.claim(request, at: time)
        }
      },
      Self(.room, "one at a time") { $0.onClaim = asking { $0.limit = min($0.limit, 1) } },
      Self(.room, "the room of the first flow is for all") {
        $0.onClaim = { base, request, time in
          var claim = try await base.claim(request, at: time)
          claim.runs = Array(claim.runs.prefix(max(request.flows.first?.limit ?? 0, 0)))
          return claim
        }
      },
      Self(.version, "every version is taken") { $0.onClaim = asking { $0.version = .max } },
      Self(.version, "only the very version is taken") {
        $0.onClaim = { base, request, time in
          var claim = try await base.claim(request, at: time)
          let versions = Dictionary(
            request.flows.map { ($0.flow, $0.version) }, uniquingKeysWith: max)
          claim.runs.removeAll { $0.record.version != versions[$0.record.flow] }
          return claim
        }
      },
      Self(.crashes, "a crash is an attempt") {
        $0.onClaim = answering { $0.record.attempts += $0.record.crashes }
      },
      Self(.crashes, "crashes are not counted") {
        $0.onClaim = answering { $0.record.crashes = 0 }
      },
      Self(.crashes, "crashes count on over all stages") {
        $0.onRun = { base, id in
          var run = try await base.run(id)
          if let sequence = run?.sequence, sequence > 0 { run?.crashes += 1 }
          return run
        }
      },
      Self(.crashes, "a run that is dead of crashes has an attempt more") {
        $0.onPark = { base, parking, time in
          var parking = parking
          if case .exhausted(let error) = parking.reason { parking.reason = .dead(error: error) }
          try await base.park(parking, at: time)
        }
      },
      Self(.quarantine, "nobody is told of what waits") {
        $0.onClaim = { base, request, time in
          var claim = try await base.claim(request, at: time)
          claim.quarantined = .none
          return claim
        }
      },
      Self(.quarantine, "a member is like others") {
        $0.onClaim = answering { $0.isCrashSuspected = false }
      },
      Self(.quarantine, "it is disregarded") {
        $0.onClaim = { base, request, time in
          var request = request
          request.quarantine = .disregarded
          return try await base.claim(request, at: time)
        }
      },
      Self(.quarantine, "groups are never given") { $0.onClaim = wanting { .left(after: $0) } },
      Self(.quarantine, "groups are given to all") { $0.onClaim = wanting { .alone(after: $0) } },
      Self(.quarantine, "the number of crashes makes no difference") {
        $0.onClaim = { base, request, time in
          var request = request
          switch request.quarantine {
          case .disregarded: break
          case .left: request.quarantine = .left(after: 2)
          case .group: request.quarantine = .group(after: 2)
          case .alone: request.quarantine = .alone(after: 2)
          }
          return try await base.claim(request, at: time)
        }
      },
      Self(.quarantine, "what was parked is cleared") {
        $0.onPark = { base, parking, time in
          var parking = parking
          if case .shutdown = parking.reason {
            parking.reason = .retry(at: time.date, error: "shutdown")
          }
          try await base.park(parking, at: time)
        }
      },
      Self(.alone, "every member is alone") {
        $0.onClaim = answering { $0.isAlone = $0.isCrashSuspected }
      },
      Self(.alone, "every crash is a lone one") {
        $0.onRun = { base, id in
          guard var run = try await base.run(id) else { return nil }
          run.loneCrashes = run.crashes
          return run
        }
      },
      Self(.fence, "the fence is that of the first claim") {
        $0.onClaim = answering { $0.record.fence = 1 }
      },
      Self(.attempts, "each attempt is the first") {
        $0.onClaim = answering { $0.record.attempts = 1 }
      },
      Self(.attempts, "attempts count on over all stages") {
        $0.onRun = { base, id in
          var run = try await base.run(id)
          if let sequence = run?.sequence, sequence > 0 { run?.attempts += 1 }
          return run
        }
      },
      Self(.wait, "waits are over early") {
        $0.onClaim = { base, request, time in
          var time = time
          time.date += 0.125
          return try await base.claim(request, at: time)
        }
      },
      Self(.wait, "waits are over late") {
        $0.onClaim = { base, request, time in
          var time = time
          time.date -= 0.125
          return try await base.claim(request, at: time)
        }
      },
      Self(.wait, "waits go by uptime") {
        $0.readClock = { time in
          var time = time
          time.date = Date(timeIntervalSinceReferenceDate: time.uptime / .seconds(1))
          return time
        }
      },
      Self(.nextDue, "nothing is ever due") {
        $0.onClaim = { base, request, time in
          Claim(runs: try await base.claim(request, at: time).runs)
        }
      },
      Self(.nextDue, "a wait for a signal is due in the end") {
        $0.onClaim = { base, request, time in
          var claim = try await base.claim(request, at: time)
          claim.nextDueAt = claim.nextDueAt ?? .distantFuture
          return claim
        }
      },
      Self(.exclusive, "what one worker gets, the next one gets too") {
        let last = Locked<Claim?>(nil)
        $0.onClaim = { base, request, time in
          guard request.worker.hasPrefix("worker ") else {
            return try await base.claim(request, at: time)
          }
          if let again = last.withLock({ claim in
            defer { claim = nil }
            return claim
          }) {
            return again
          }
          let claim = try await base.claim(request, at: time)
          last.withLock { $0 = claim }
          return claim
        }
      },
    ]
  }
}
