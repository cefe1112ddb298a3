import FieldstoneCore
import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation

extension BrokenJournal {
  /// Broken in what people do: signals, changes, pages, purges.
  static var ofPeople: [Self] { signals + changes + pages + purges }

  private static var signals: [Self] {
    [
      Self(.signal, "what comes early is lost") {
        $0.onSignal = { base, id, signal, time in
          if let run = try await base.run(id), run.awaitedSignals.isEmpty { return .sent }
          return try await base.signal(id, signal, at: time)
        }
      },
      Self(.signal, "the first of several names is awaited alone") {
        $0.onCheckpoint = { base, checkpoint, time in
          var checkpoint = checkpoint
          if case .receiving(let payload, let names, let date) = checkpoint.next {
            checkpoint.next = .receiving(payload, signals: [names[0]], until: date)
          }
          try await base.checkpoint(checkpoint, at: time)
        }
      },
      Self(.signal, "all signals have one name") {
        $0.onSignal = { base, id, signal, time in
          var signal = signal
          signal.name = "go"
          return try await base.signal(id, signal, at: time)
        }
      },
      Self(.signal, "the time of sending is that of coming") {
        $0.onSignal = { base, id, signal, time in
          var signal = signal
          signal.sentAt = time.date
          return try await base.signal(id, signal, at: time)
        }
      },
      Self(.signal, "the last comes first") {
        let came = Locked<[RunID: [SignalRecord]]>([:])
        $0.onSignal = { base, id, signal, time in
          let receipt = try await base.signal(id, signal, at: time)
          came.withLock { $0[id, default: []].append(signal) }
          return receipt
        }
        $0.onCheckpoint = { base, checkpoint, time in
          try await base.checkpoint(checkpoint, at: time)
          came.withLock {
            $0[checkpoint.claim.id]?.removeAll { checkpoint.consumedSignals.contains($0.id) }
          }
        }
        $0.onClaim = answering { run in
          let id = run.record.id
          guard let signal = run.signal else { return }
          run.signal = came.withLock { came in
            came[id]?.last { $0.name == signal.name } ?? signal
          }
        }
      },
      Self(.signalOnce, "a consumed signal can be sent again") {
        let consumed = Locked<Set<String>>([])
        $0.onCheckpoint = { base, checkpoint, time in
          var checkpoint = checkpoint
          consumed.withLock { $0.formUnion(checkpoint.consumedSignals) }
          checkpoint.consumedSignals += checkpoint.consumedSignals.map { $0 + "'" }
          try await base.checkpoint(checkpoint, at: time)
        }
        $0.onSignal = { base, id, signal, time in
          var signal = signal
          if consumed.withLock({ $0.contains(signal.id) }) { signal.id += "'" }
          return try await base.signal(id, signal, at: time)
        }
      },
      Self(.signalOnce, "an edit forgets what was consumed") {
        $0.onSignal = { base, id, signal, time in
          let steps = try await base.steps(of: id, after: nil, limit: 100).steps
          let wasEdited = steps.contains { $0.kind == .edited }
          return wasEdited ? .sent : try await base.signal(id, signal, at: time)
        }
      },
      Self(.signalOnce, "an identifier is that of all runs") {
        let sent = Locked<Set<String>>([])
        $0.onSignal = { base, id, signal, time in
          if sent.withLock({ $0.contains(signal.id) }) { return .alreadySent }
          let receipt = try await base.signal(id, signal, at: time)
          sent.withLock { _ = $0.insert(signal.id) }
          return receipt
        }
      },
      Self(.signalOnce, "a repetition is refused") {
        let sent = Locked<Set<String>>([])
        $0.onSignal = { base, id, signal, time in
          let receipt = try await base.signal(id, signal, at: time)
          if !sent.withLock({ $0.insert("\(id)\(signal.id)").inserted }) {
            throw JournalError.notAllowed(id, state: .ready, action: "signalled")
          }
          return receipt
        }
      },
      Self(.signalOnce, "a repetition counts as sent") {
        $0.onSignal = { base, id, signal, time in
          _ = try await base.signal(id, signal, at: time)
          return .sent
        }
      },
      Self(.signalOnce, "a used identifier under another name is a repetition") {
        $0.onSignal = { base, id, signal, time in
          do {
            return try await base.signal(id, signal, at: time)
          } catch JournalError.signalTaken {
            return .alreadySent
          }
        }
      },
      Self(.consumption, "a signal is given once") {
        let given = Locked<Set<String>>([])
        $0.onClaim = answering { run in
          guard let signal = run.signal else { return }
          let key = "\(run.record.id)\(signal.id)"
          if !given.withLock({ $0.insert(key).inserted }) { run.signal = nil }
        }
      },
      Self(.consumption, "nothing is ever consumed") {
        $0.onCheckpoint = { base, checkpoint, time in
          var checkpoint = checkpoint
          checkpoint.consumedSignals = []
          try await base.checkpoint(checkpoint, at: time)
        }
      },
      Self(.consumption, "a signal that is there overrides the time of the next attempt") {
        $0.onPark = { base, parking, time in
          var parking = parking
          if case .retry(_, let error) = parking.reason,
            try await base.run(parking.claim.id)?.awaitedSignals.isEmpty == false
          {
            parking.reason = .retry(at: time.date, error: error)
          }
          try await base.park(parking, at: time)
        }
      },
      Self(.timeout, "there is no waiting for ever") {
        $0.onCheckpoint = { base, checkpoint, time in
          var checkpoint = checkpoint
          if case .receiving(let payload, let signals, nil) = checkpoint.next {
            checkpoint.next = .receiving(
              payload, signals: signals, until: time.date + 500 * 86_400)
          }
          try await base.checkpoint(checkpoint, at: time)
        }
      },
      Self(.timeout, "a late attempt is told of what came since") {
        let came = Locked<[RunID: SignalRecord]>([:])
        $0.onSignal = { base, id, signal, time in
          let receipt = try await base.signal(id, signal, at: time)
          came.withLock { $0[id] = signal }
          return receipt
        }
        $0.onClaim = answering { run in
          let id = run.record.id
          if run.record.attempts + run.record.crashes > 1 { run.signal = came.withLock { $0[id] } }
        }
      },
      Self(.signalRefusal, "a signal may say anything") {
        $0.onSignal = { base, id, signal, time in
          var signal = signal
          signal.payload = Data("0".utf8)
          return try await base.signal(id, signal, at: time)
        }
      },
      Self(.signalRefusal, "a signal to nobody is no error") {
        $0.onSignal = { base, id, signal, time in
          do {
            return try await base.signal(id, signal, at: time)
          } catch JournalError.noRun {
            return .sent
          }
        }
      },
      Self(.signalRefusal, "a signal to what is over is no error") {
        $0.onSignal = { base, id, signal, time in
          do {
            return try await base.signal(id, signal, at: time)
          } catch JournalError.notAllowed {
            return .alreadySent
          }
        }
      },
      Self(.signalRefusal, "a blocked run can't be signalled") {
        $0.onSignal = { base, id, signal, time in
          if let state = try await base.run(id)?.state, state == .blocked {
            throw JournalError.notAllowed(id, state: state, action: "signalled")
          }
          return try await base.signal(id, signal, at: time)
        }
      },
    ]
  }

  private static var changes: [Self] {
    [
      Self(.retry, "attempts are not forgotten") {
        $0.onChange = { base, id, change, time in
          var run = try await base.change(id, change, at: time)
          if case .retry = change { run.attempts = 1 }
          return run
        }
      },
      Self(.retry, "what runs is retried") { $0.onChange = changingRunning(.retry) },
      Self(.retry, "what is cancelled is not retried") {
        $0.onChange = { base, id, change, time in
          if case .retry = change, try await base.run(id)?.state == .cancelled {
            throw JournalError.notAllowed(id, state: .cancelled, action: "retried")
          }
          return try await base.change(id, change, at: time)
        }
      },
      Self(.edit, "what runs is edited") {
        $0.onChange = changingRunning(.edit(Data("0".utf8), version: nil))
      },
      Self(.edit, "what was there is not in the steps") {
        $0.onSteps = stepping { $0.removeAll { $0.kind == .edited } }
      },
      Self(.edit, "what is no JSON is taken") {
        $0.onChange = { base, id, change, time in
          do {
            return try await base.change(id, change, at: time)
          } catch JournalError.notJSON {
            return try await base.change(id, .edit(Data("0".utf8), version: nil), at: time)
          }
        }
      },
      Self(.edit, "the expected stage is not looked at") {
        $0.onChange = { base, id, change, time in
          guard case .edit(let payload, let version, _) = change else {
            return try await base.change(id, change, at: time)
          }
          return try await base.change(id, .edit(payload, version: version), at: time)
        }
      },
      Self(.edit, "the version is not taken") {
        $0.onChange = { base, id, change, time in
          if case .edit(let payload, version: _, expectedSequence: let expected) = change {
            return try await base.change(
              id, .edit(payload, version: nil, expectedSequence: expected), at: time)
          }
          return try await base.change(id, change, at: time)
        }
      },
      Self(.cancel, "whoever works goes on") {
        $0.onChange = { base, id, change, time in
          guard case .cancel = change, var run = try await base.run(id), run.state == .running
          else { return try await base.change(id, change, at: time) }
          run.state = .cancelled
          run.worker = nil
          run.changedAt = time.date
          return run
        }
      },
      Self(.cancel, "what is over is cancelled too") {
        $0.onChange = { base, id, change, time in
          if case .cancel = change, let run = try await base.run(id), run.state.isOver {
            return run
          }
          return try await base.change(id, change, at: time)
        }
      },
      Self(.cancel, "a cancellation of nobody is called a state") {
        $0.onChange = { base, id, change, time in
          if case .cancel = change, try await base.run(id) == nil {
            throw JournalError.notAllowed(id, state: .ready, action: "cancelled")
          }
          return try await base.change(id, change, at: time)
        }
      },
    ]
  }

  /// What is running is changed as if it were not.
  private static func changingRunning(
    _ running: RunChange
  ) -> @Sendable (InMemoryJournal, RunID, RunChange, JournalTime) async throws -> RunRecord {
    { base, id, change, time in
      if change != .cancel, try await base.run(id)?.state == .running {
        try await base.change(id, .cancel, at: time)
        return try await base.change(id, running, at: time)
      }
      return try await base.change(id, change, at: time)
    }
  }

  private static var pages: [Self] {
    [
      Self(.changes, "a child that is cancelled with its parent is not told") {
        $0.onChanges = { base, mark in
          var changes = try await base.changes(since: mark)
          for (id, state) in changes.runs ?? [:] where state == .cancelled {
            if try await base.run(id)?.parent != nil { changes.runs?[id] = nil }
          }
          return changes
        }
      },
      Self(.changes, "nothing has changed since a mark of another journal") {
        $0.onChanges = { base, mark in
          var changes = try await base.changes(since: mark)
          if mark != nil { changes.runs = changes.runs ?? [:] }
          return changes
        }
      },
      Self(.changes, "nothing ever changes") {
        $0.onChanges = { base, mark in
          var changes = try await base.changes(since: mark)
          changes.runs = [:]
          return changes
        }
      },
      Self(.pages, "the oldest first") {
        $0.onRuns = { base, query in
          var page = try await base.runs(query)
          page.runs.reverse()
          page.next = page.next.flatMap { _ in page.runs.last?.id }
          return page
        }
      },
      Self(.pages, "pages go by numbers") {
        let offsets = Locked<[RunID: Int]>([:])
        $0.onRuns = { base, query in
          var all = query
          all.before = nil
          all.limit = 1_000
          let runs = try await base.runs(all).runs
          let begin = query.before.map { last in offsets.withLock { $0[last] ?? 0 } } ?? 0
          let page = Array(runs.dropFirst(begin).prefix(query.effectiveLimit))
          let end = begin + page.count
          guard let last = page.last, end < runs.count else { return RunPage(runs: page) }
          offsets.withLock { $0[last.id] = end }
          return RunPage(runs: page, next: last.id)
        }
      },
      Self(.pages, "a full page is never the last") {
        $0.onRuns = { base, query in
          var page = try await base.runs(query)
          if page.runs.count == query.limit { page.next = page.runs.last?.id }
          return page
        }
      },
      Self(.pages, "a page begins with the last of the one before") {
        $0.onRuns = { base, query in
          var page = try await base.runs(query)
          if let before = query.before, let run = try await base.run(before) {
            page.runs.insert(run, at: 0)
          }
          return page
        }
      },
      Self(.filter, "what began just then is left out") {
        $0.onRuns = querying { $0.since = $0.since.map { $0 + 0.001 } }
      },
      Self(.filter, "states are not looked at") { $0.onRuns = querying { $0.states = [] } },
      Self(.filter, "keys are not looked at") { $0.onRuns = querying { $0.key = nil } },
      Self(.filter, "flows are not looked at") { $0.onRuns = querying { $0.flow = nil } },
      Self(.filter, "a page is filtered once it is read") {
        $0.onRuns = { base, query in
          let page = try await base.runs(RunQuery(before: query.before, limit: query.limit))
          let runs = page.runs.filter {
            (query.flow == nil || query.flow == $0.flow)
              && (query.states.isEmpty || query.states.contains($0.state))
              && (query.key == nil || query.key == $0.key)
              && $0.startedAt >= query.since ?? .distantPast
          }
          return RunPage(runs: runs, next: page.next.flatMap { _ in runs.last?.id })
        }
      },
      Self(.pageLimit, "none is a limit") {
        $0.onRuns = { base, query in
          query.limit == 0 ? RunPage(runs: []) : try await base.runs(query)
        }
      },
      Self(.pageLimit, "there is no highest limit") {
        $0.onRuns = { base, query in
          var page = try await base.runs(query)
          guard query.limit > 1_000, let next = page.next else { return page }
          page.runs += try await base.runs(RunQuery(before: next, limit: 1_000)).runs
          page.next = nil
          return page
        }
      },
      Self(.stepPages, "a page begins with the last of the one before") {
        $0.onSteps = { base, id, sequence, limit in
          try await base.steps(
            of: id, after: sequence.map { $0 < 1_000 ? $0 - 1 : $0 }, limit: limit)
        }
      },
      Self(.stepPages, "a full page is never the last") {
        $0.onSteps = { base, id, sequence, limit in
          var page = try await base.steps(of: id, after: sequence, limit: limit)
          if page.steps.count == limit { page.next = page.steps.last?.sequence }
          return page
        }
      },
      Self(.stepPages, "the newest first") {
        $0.onSteps = stepping { $0.reverse() }
      },
    ]
  }

  /// Another query.
  private static func querying(
    _ change: @escaping @Sendable (inout RunQuery) -> Void
  ) -> @Sendable (InMemoryJournal, RunQuery) async throws -> RunPage {
    { base, query in
      var query = query
      change(&query)
      return try await base.runs(query)
    }
  }

  private static var purges: [Self] {
    [
      Self(.purge, "what is just that old goes") {
        $0.onPurge = purging { $0.runs -= .milliseconds(1) }
      },
      Self(.purge, "nothing goes") { $0.onPurge = { _, _, _ in 0 } },
      Self(.purge, "nobody counts") {
        $0.onPurge = { base, retention, time in
          _ = try await base.purge(retention, at: time)
          return 0
        }
      },
      Self(.purge, "steps are all kept") { $0.onPurge = purging { $0.stepsPerRun = .max } },
      Self(.purge, "the newest steps go") {
        let kept = Locked<Int>(.max)
        $0.onPurge = { base, retention, time in
          kept.withLock { $0 = max(retention.stepsPerRun, 0) }
          var retention = retention
          retention.stepsPerRun = .max
          return try await base.purge(retention, at: time)
        }
        $0.onSteps = stepping { $0 = Array($0.prefix(kept.withLock { $0 })) }
      },
      Self(.purge, "the dead go") {
        let goes = Locked(false)
        $0.onPurge = { base, retention, time in
          goes.withLock { $0 = true }
          return try await base.purge(retention, at: time)
        }
        $0.onRun = { base, id in
          let run = try await base.run(id)
          return run?.state == .dead && goes.withLock { $0 } ? nil : run
        }
      },
      Self(.purge, "a key is never free again") {
        let owners = Locked<[String: RunRecord]>([:])
        $0.onStart = { base, start, time in
          guard let key = start.key else { return try await base.start(start, at: time) }
          if let owner = owners.withLock({ $0[start.flow + key] }) {
            return try await base.run(owner.id) ?? owner
          }
          let run = try await base.start(start, at: time)
          owners.withLock { $0[start.flow + key] = run }
          return run
        }
      },
    ]
  }

  /// Another retention.
  private static func purging(
    _ change: @escaping @Sendable (inout JournalRetention) -> Void
  ) -> @Sendable (InMemoryJournal, JournalRetention, JournalTime) async throws -> Int {
    { base, retention, time in
      var retention = retention
      change(&retention)
      return try await base.purge(retention, at: time)
    }
  }
}
