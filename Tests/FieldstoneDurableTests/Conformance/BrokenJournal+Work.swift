import FieldstoneCore
import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation

extension BrokenJournal {
  /// Changes what is written.
  private static func checkpointing(
    _ change: @escaping @Sendable (inout Checkpoint) -> Void
  ) -> @Sendable (InMemoryJournal, Checkpoint, JournalTime) async throws -> Void {
    { base, checkpoint, time in
      var checkpoint = checkpoint
      change(&checkpoint)
      try await base.checkpoint(checkpoint, at: time)
    }
  }

  /// Broken in what workers do.
  static var atWork: [Self] { starts + claims + leases + checkpoints + returns }

  private static var leases: [Self] {
    [
      Self(.lease, "no lease is ever over") {
        $0.onClaim = lending { $0 * 1_000 }
      },
      Self(.lease, "leases are too long") { $0.onClaim = lending { $0 + .milliseconds(1) } },
      Self(.lease, "leases are too short") { $0.onClaim = lending { $0 - .milliseconds(125) } },
      Self(.lease, "boots are all the same") {
        $0.readClock = { JournalTime(date: $0.date, uptime: $0.uptime, boot: "boot") }
      },
      Self(.lease, "a checkpoint brings no lease of its own") {
        $0.onCheckpoint = { base, checkpoint, time in
          var checkpoint = checkpoint
          checkpoint.lease = .seconds(60)
          try await base.checkpoint(checkpoint, at: time)
        }
      },
      Self(.clock, "it says that it keeps a server's clock, and can't be examined") {
        $0.clock = .server
      },
      Self(.wallClock, "leases go by the wall clock") {
        $0.readClock = { time in
          var time = time
          time.uptime = .seconds(time.date.timeIntervalSinceReferenceDate)
          return time
        }
      },
      Self(.wallClock, "a run is not ready before its start") {
        $0.onClaim = { base, request, time in
          var claim = try await base.claim(request, at: time)
          for run in claim.runs where run.record.startedAt > time.date {
            let claim = RunClaim(
              id: run.record.id, sequence: run.record.sequence, fence: run.record.fence)
            try await base.park(Parking(claim: claim, reason: .shutdown), at: time)
          }
          claim.runs.removeAll { $0.record.startedAt > time.date }
          return claim
        }
      },
      Self(.wallClock, "a pause lasts for longer when the clock is set back") {
        $0.onClaim = { base, request, time in
          let ready = try await base.runs(RunQuery(states: [.ready], limit: 1_000)).runs
          var claim = try await base.claim(request, at: time)
          for run in claim.runs {
            guard let due = ready.first(where: { $0.id == run.record.id })?.dueAt, due > time.date,
              run.signal == nil
            else { continue }
            let claim = RunClaim(
              id: run.record.id, sequence: run.record.sequence, fence: run.record.fence)
            try await base.park(
              Parking(claim: claim, reason: .retry(at: due, error: "no")), at: time)
          }
          let parked = try await base.runs(RunQuery(states: [.ready], limit: 1_000)).runs
          claim.runs.removeAll { run in parked.contains { $0.id == run.record.id } }
          return claim
        }
      },
      Self(.outgoing, "starts are forgotten") {
        $0.onCheckpoint = checkpointing { $0.starts = [] }
      },
      Self(.outgoing, "signals are forgotten") {
        $0.onCheckpoint = checkpointing { $0.signals = [] }
      },
      Self(.outgoing, "starts are made before") {
        $0.onCheckpoint = { base, checkpoint, time in
          for start in checkpoint.starts { _ = try await base.start(start, at: time) }
          try await base.checkpoint(checkpoint, at: time)
        }
      },
      Self(.outgoing, "signals are sent after it") {
        $0.onCheckpoint = { base, checkpoint, time in
          var plain = checkpoint
          plain.signals = []
          try await base.checkpoint(plain, at: time)
          for signal in checkpoint.signals {
            _ = try await base.signal(signal.run, signal.signal, at: time)
          }
        }
      },
      Self(.renewal, "nothing is ever lost") {
        $0.onRenew = { base, claims, lease, time in
          _ = try await base.renew(claims, lease: lease, at: time)
          return []
        }
      },
      Self(.renewal, "what has gone on is lost") {
        $0.onRenew = { base, claims, lease, time in
          var lost = try await base.renew(claims, lease: lease, at: time)
          for claim in claims {
            guard let run = try await base.run(claim.id), run.sequence > claim.sequence,
              !lost.contains(claim)
            else { continue }
            lost.append(claim)
          }
          return lost
        }
      },
      Self(.renewal, "nothing is prolonged") {
        $0.onRenew = { base, claims, lease, time in
          try await base.renew(claims, lease: lease / 2, at: time)
        }
      },
      Self(.renewal, "a late renewal takes back what a checkpoint gave") {
        let end = Locked(Duration.seconds(Int64.max))
        $0.onRenew = { base, claims, lease, time in
          end.withLock { $0 = time.uptime + lease }
          return try await base.renew(claims, lease: lease, at: time)
        }
        $0.onClaim = { base, request, time in
          var late = time
          if time.uptime >= end.withLock({ $0 }) { late.uptime += .seconds(3_600) }
          return try await base.claim(request, at: late)
        }
      },
      Self(.renewal, "everything is prolonged") {
        let every = Locked<[RunClaim]>([])
        $0.onClaim = { base, request, time in
          let claim = try await base.claim(request, at: time)
          every.withLock {
            $0 += claim.runs.map {
              RunClaim(id: $0.record.id, sequence: $0.record.sequence, fence: $0.record.fence)
            }
          }
          return claim
        }
        $0.onRenew = { base, claims, lease, time in
          _ = try await base.renew(every.withLock { $0 }, lease: lease, at: time)
          return try await base.renew(claims, lease: lease, at: time)
        }
      },
    ]
  }

  private static var checkpoints: [Self] {
    [
      Self(.checkpoint, "the time-out of a receive is forgotten") {
        $0.onCheckpoint = { base, checkpoint, time in
          var checkpoint = checkpoint
          if case .receiving(let payload, let signals, _) = checkpoint.next {
            checkpoint.next = .receiving(payload, signals: signals, until: nil)
          }
          try await base.checkpoint(checkpoint, at: time)
        }
      },
      Self(.checkpoint, "a completion says nothing") {
        $0.onCheckpoint = { base, checkpoint, time in
          var checkpoint = checkpoint
          if case .completion = checkpoint.next { checkpoint.next = .completion(Data("0".utf8)) }
          try await base.checkpoint(checkpoint, at: time)
        }
      },
      Self(.chain, "a link is missing") {
        $0.onSteps = stepping { $0.removeAll { $0.sequence == 3 } }
      },
      Self(.chain, "links begin at 1") {
        $0.onSteps = stepping { steps in
          for index in steps.indices { steps[index].sequence += 1 }
        }
      },
      Self(.chain, "a link forgets what went wrong") {
        $0.onSteps = stepping { steps in
          for index in steps.indices { steps[index].error = nil }
        }
      },
      Self(.chain, "a link has the stage that follows") {
        $0.onSteps = stepping { steps in
          for index in steps.indices.dropLast() { steps[index].payload = steps[index + 1].payload }
        }
      },
      Self(.chain, "a link has the worker of none") {
        $0.onSteps = stepping { steps in
          for index in steps.indices { steps[index].worker = nil }
        }
      },
      Self(.once, "the same twice is taken for once") {
        let made = Locked<Set<RunClaim>>([])
        $0.onCheckpoint = { base, checkpoint, time in
          if made.withLock({ $0.contains(checkpoint.claim) }) { return }
          try await base.checkpoint(checkpoint, at: time)
          made.withLock { _ = $0.insert(checkpoint.claim) }
        }
      },
      Self(.fencing, "the fence is not compared at a checkpoint") {
        $0.onCheckpoint = { base, checkpoint, time in
          var checkpoint = checkpoint
          if let run = try await base.run(checkpoint.claim.id) {
            checkpoint.claim.fence = run.fence
          }
          try await base.checkpoint(checkpoint, at: time)
        }
      },
      Self(.fencing, "older sequences are not compared at a checkpoint") {
        $0.onCheckpoint = { base, checkpoint, time in
          var checkpoint = checkpoint
          if let run = try await base.run(checkpoint.claim.id), run.fence == checkpoint.claim.fence
          {
            checkpoint.claim.sequence = run.sequence
          }
          try await base.checkpoint(checkpoint, at: time)
        }
      },
      Self(.fencing, "a checkpoint that is lost is silent") {
        $0.onCheckpoint = { base, checkpoint, time in
          do {
            try await base.checkpoint(checkpoint, at: time)
          } catch JournalError.claimLost {}
        }
      },
      Self(.fencing, "what is lost is called unavailable") {
        $0.onPark = { base, parking, time in
          do {
            try await base.park(parking, at: time)
          } catch JournalError.claimLost {
            throw JournalError.unavailable("busy")
          }
        }
      },
      Self(.fencing, "a lost checkpoint consumes its signals") {
        let consumed = Locked<Set<String>>([])
        $0.onCheckpoint = { base, checkpoint, time in
          do {
            try await base.checkpoint(checkpoint, at: time)
          } catch JournalError.claimLost {
            consumed.withLock { $0.formUnion(checkpoint.consumedSignals) }
            throw JournalError.claimLost(checkpoint.claim.id)
          }
        }
        $0.onClaim = answering { run in
          if let signal = run.signal, consumed.withLock({ $0.contains(signal.id) }) {
            run.signal = nil
          }
        }
      },
      Self(.transaction, "writes are dropped") {
        $0.onCheckpoint = { base, checkpoint, time in
          var checkpoint = checkpoint
          checkpoint.writes = []
          try await base.checkpoint(checkpoint, at: time)
        }
      },
    ]
  }

  private static var returns: [Self] {
    [
      Self(.parking, "an attempt ended by a shutdown counts") {
        $0.onPark = parking { reason, time in
          if case .shutdown = reason { .retry(at: time.date, error: "shutdown") } else { reason }
        }
      },
      Self(.parking, "the next attempt is made at once") {
        $0.onPark = parking { reason, time in
          if case .retry(_, let error) = reason {
            .retry(at: time.date, error: error)
          } else {
            reason
          }
        }
      },
      Self(.parking, "blocked is dead") {
        $0.onPark = parking { reason, _ in
          if case .blocked(let error) = reason { .dead(error: error) } else { reason }
        }
      },
      Self(.parking, "what went wrong is forgotten") {
        $0.onPark = parking { reason, _ in
          if case .dead = reason { .dead(error: "") } else { reason }
        }
      },
    ]
  }

  /// A claim whose request is changed.
  static func asking(
    _ change: @escaping @Sendable (inout ClaimRequest.FlowRoom) -> Void
  ) -> @Sendable (InMemoryJournal, ClaimRequest, JournalTime) async throws -> Claim {
    { base, request, time in
      var request = request
      for index in request.flows.indices { change(&request.flows[index]) }
      return try await base.claim(request, at: time)
    }
  }

  /// A claim whose lease is changed.
  private static func lending(
    _ change: @escaping @Sendable (Duration) -> Duration
  ) -> @Sendable (InMemoryJournal, ClaimRequest, JournalTime) async throws -> Claim {
    { base, request, time in
      var request = request
      request.lease = change(request.lease)
      return try await base.claim(request, at: time)
    }
  }

  /// A claim whose answer is changed.
  static func answering(
    _ change: @escaping @Sendable (inout ClaimedRun) -> Void
  ) -> @Sendable (InMemoryJournal, ClaimRequest, JournalTime) async throws -> Claim {
    { base, request, time in
      var claim = try await base.claim(request, at: time)
      for index in claim.runs.indices { change(&claim.runs[index]) }
      return claim
    }
  }

  /// Steps that are changed.
  static func stepping(
    _ change: @escaping @Sendable (inout [StepRecord]) -> Void
  ) -> @Sendable (InMemoryJournal, RunID, Int?, Int) async throws -> StepPage {
    { base, id, sequence, limit in
      var page = try await base.steps(of: id, after: sequence, limit: limit)
      change(&page.steps)
      return page
    }
  }

  /// Another reason to park.
  private static func parking(
    _ change: @escaping @Sendable (Parking.Reason, JournalTime) -> Parking.Reason
  ) -> @Sendable (InMemoryJournal, Parking, JournalTime) async throws -> Void {
    { base, parking, time in
      var parking = parking
      parking.reason = change(parking.reason, time)
      try await base.park(parking, at: time)
    }
  }
}
