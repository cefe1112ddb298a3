import FieldstoneCore
import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation

/// Broken in what is kept of changes, in forks and in purges by identifiers.
extension BrokenJournal {
  static var audits: [Self] { rows + signals + auditPages + forks + purgesOfRuns }

  private static var rows: [Self] {
    [
      Self(.audit, "changes leave no rows") { $0.onAudit = { _, _ in AuditPage(records: []) } },
      Self(.audit, "the actor of a change is lost") {
        $0.onChange = { base, id, change, time in
          try await base.change(id, change, at: time)
        }
      },
      Self(.audit, "the actor of a pause is lost") {
        $0.onPause = { base, target, date, time in
          try await base.pause(target, until: date, at: time)
        }
      },
      Self(.audit, "the states are not in the rows") {
        $0.onAudit = each { record in (record.before, record.after) = (nil, nil) }
      },
      Self(.audit, "before and after are exchanged") {
        $0.onAudit = each { record in
          (record.before, record.after) = (record.after, record.before)
        }
      },
      Self(.audit, "a row has the time at which it is read") {
        $0.onAudit = each { record in record.date += 1 }
      },
      Self(.audit, "a refused change leaves a row") {
        $0.onChange = { base, id, change, time in
          do { return try await base.change(id, change, by: "ada", at: time) } catch {
            try await base.pause(.flow("refused"), until: nil, at: time)
            throw error
          }
        }
      },
      Self(.audit, "a runner's tick leaves a row") {
        $0.onSetSchedule = { base, name, old, new, starts, time in
          try await base.setSchedule(
            name, from: old, to: new, starting: starts, by: "tick", at: time)
        }
      },
      Self(.audit, "a declaration of limits leaves a row") {
        $0.onSetLimits = { base, limits, flow, replacing, time in
          try await base.setLimits(
            limits, of: flow, replacing: replacing, by: "worker", at: time)
        }
      },
      Self(.audit, "an end of nothing leaves a row") {
        $0.onResume = { base, target, time in
          if try await base.resume(target, at: time) { return true }
          try await base.pause(target, until: nil, at: time)
          return try await base.resume(target, at: time)
        }
      },
      Self(.audit, "old rows stay") {
        $0.onPurge = { base, retention, time in
          var retention = retention
          retention.audit = .seconds(1_000_000)
          return try await base.purge(retention, at: time)
        }
      },
      Self(.audit, "a purge takes all rows") {
        $0.onPurge = { base, retention, time in
          var retention = retention
          retention.audit = .seconds(-1)
          return try await base.purge(retention, at: time)
        }
      },
    ]
  }

  private static var signals: [Self] {
    [
      Self(.audit, "a signal of a person leaves no row") {
        $0.onSignal = { base, id, signal, time in
          var signal = signal
          signal.actor = nil
          return try await base.signal(id, signal, at: time)
        }
      },
      Self(.audit, "a signal of an app's own code leaves a row") {
        $0.onSignal = { base, id, signal, time in
          var signal = signal
          signal.actor = signal.actor ?? "worker"
          return try await base.signal(id, signal, at: time)
        }
      },
      Self(.audit, "a repeated signal leaves another row") {
        $0.onSignal = { base, id, signal, time in
          let receipt = try await base.signal(id, signal, at: time)
          if receipt == .alreadySent, signal.actor != nil {
            try await base.pause(.flow("again"), until: nil, by: signal.actor, at: time)
          }
          return receipt
        }
      },
      Self(.audit, "the payload of a signal is in its row") {
        $0.onAudit = each { record in
          guard record.action == .signal, let after = record.after else { return }
          record.after = Data("{\"payload\":987654321,".utf8) + after.dropFirst()
        }
      },
      Self(.audit, "the identifier of a signal is its name, too") {
        $0.onAudit = each { record in
          guard record.action == .signal, let after = record.after else { return }
          record.after = Data(
            String(decoding: after, as: UTF8.self).replacing(#"a \"signal\""#, with: "gö").utf8)
        }
      },
      Self(.audit, "a run gets the actor of a signal") {
        let actors = Locked<[String: String]>([:])
        $0.onSignal = { base, id, signal, time in
          actors.withLock { actors in
            if let actor = signal.actor { actors[signal.id] = actors[signal.id] ?? actor }
          }
          return try await base.signal(id, signal, at: time)
        }
        $0.onClaim = { base, request, time in
          var claim = try await base.claim(request, at: time)
          for index in claim.runs.indices {
            guard let id = claim.runs[index].signal?.id else { continue }
            claim.runs[index].signal?.actor = actors.withLock { $0[id] }
          }
          return claim
        }
      },
      Self(.audit, "a signal of a checkpoint leaves no row") {
        $0.onCheckpoint = { base, checkpoint, time in
          var checkpoint = checkpoint
          for index in checkpoint.signals.indices {
            checkpoint.signals[index].signal.actor = nil
          }
          try await base.checkpoint(checkpoint, at: time)
        }
      },
    ]
  }

  private static var auditPages: [Self] {
    [
      Self(.auditPages, "the oldest come first") {
        $0.onAudit = { base, query in
          var page = try await base.audit(query)
          page.records.reverse()
          return page
        }
      },
      Self(.auditPages, "the subject is not looked at") {
        $0.onAudit = { base, query in
          try await base.audit(AuditQuery(before: query.before, limit: query.limit))
        }
      },
      Self(.auditPages, "a page begins with the last of the one before") {
        $0.onAudit = { base, query in
          var query = query
          query.before = query.before.map { $0 + 1 }
          return try await base.audit(query)
        }
      },
      Self(.auditPages, "there is one page") {
        $0.onAudit = { base, query in
          var page = try await base.audit(query)
          page.next = nil
          return page
        }
      },
    ]
  }

  private static var forks: [Self] {
    [
      Self(.fork, "the origin is forgotten") {
        $0.onStart = { base, start, time in
          var start = start
          start.origin = nil
          return try await base.start(start, at: time)
        }
      },
      Self(.fork, "who forks is forgotten") {
        $0.onStart = { base, start, time in
          var start = start
          start.actor = nil
          return try await base.start(start, at: time)
        }
      },
      Self(.fork, "forks among many are like other starts") {
        $0.onStarts = { base, starts, time in
          await base.start(
            starts.map { start in
              var start = start
              start.origin = nil
              return start
            }, at: time)
        }
      },
      Self(.fork, "a repeated fork leaves another row") {
        $0.onStart = { base, start, time in
          let isThere = try await base.run(start.id) != nil
          let run = try await base.start(start, at: time)
          if isThere, start.origin != nil { try await base.change(run.id, .retry, at: time) }
          return run
        }
      },
    ]
  }

  private static var purgesOfRuns: [Self] {
    [
      Self(.purgeOfRun, "nothing is deleted") { $0.onPurgeRun = { _, _, _, _ in } },
      Self(.purgeOfRun, "what is not over is deleted, too") {
        $0.onPurgeRun = { base, id, actor, time in
          do { try await base.purge(id, by: actor, at: time) } catch JournalError.notAllowed {
            try await base.change(id, .cancel, by: actor, at: time)
            try await base.purge(id, by: actor, at: time)
          }
        }
      },
      Self(.purgeOfRun, "dead runs are refused") {
        $0.onPurgeRun = { base, id, actor, time in
          if try await base.run(id)?.state == .dead {
            throw JournalError.notAllowed(id, state: .dead, action: "purged")
          }
          try await base.purge(id, by: actor, at: time)
        }
      },
      Self(.purgeOfRun, "the one who deletes is forgotten") {
        $0.onPurgeRun = { base, id, _, time in try await base.purge(id, by: nil, at: time) }
      },
    ]
  }

  /// The rows, each changed.
  private static func each(
    _ change: @escaping @Sendable (inout AuditRecord) -> Void
  ) -> @Sendable (InMemoryJournal, AuditQuery) async throws -> AuditPage {
    { base, query in
      var page = try await base.audit(query)
      for index in page.records.indices { change(&page.records[index]) }
      return page
    }
  }
}
