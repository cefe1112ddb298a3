import FieldstoneCore
import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation

/// Broken in that a purge leaves something of a run behind.
extension BrokenJournal {
  static var remains: [Self] {
    [
      Self(.purgeOfRun, "its report stays") { mutant in
        let reports = Locked<[RunID: RunReport]>([:])
        mutant.onPurgeRun = { base, id, actor, time in
          let report = try await base.report(of: id, after: nil)
          try await base.purge(id, by: actor, at: time)
          reports.withLock { $0[id] = report }
        }
        mutant.onReport = { _, id, _, report in reports.withLock { $0[id] } ?? report }
      },
      Self(.purgeOfRun, "its signals stay") { mutant in
        let signals = keepSignals(&mutant)
        mutant.onPurgeRun = { base, id, actor, time in
          try await base.purge(id, by: actor, at: time)
          signals.withLock { _ = $0.purged.insert(id) }
        }
      },
      Self(.purge, "reports stay") { mutant in
        let reports = Locked<[RunID: RunReport]>([:])
        mutant.onPurge = { base, retention, time in
          for run in try await base.runs(RunQuery(limit: 1_000)).runs {
            let report = try await base.report(of: run.id, after: nil)
            if run.state.isOver { reports.withLock { $0[run.id] = report } }
          }
          return try await base.purge(retention, at: time)
        }
        mutant.onReport = { _, id, _, report in reports.withLock { $0[id] } ?? report }
      },
      Self(.purge, "signals stay") { mutant in
        let signals = keepSignals(&mutant)
        mutant.onPurge = { base, retention, time in
          let ids = try await base.runs(RunQuery(limit: 1_000)).runs.map(\.id)
          let count = try await base.purge(retention, at: time)
          for id in ids where try await base.run(id) == nil {
            signals.withLock { _ = $0.purged.insert(id) }
          }
          return count
        }
      },
    ]
  }

  private struct Signals {
    var sent: [RunID: [SignalRecord]] = [:]
    var purged: Set<RunID> = []
  }

  /// A run that is started under the identifier of a purged one has the signals of that.
  private static func keepSignals(_ mutant: inout JournalMutant) -> Locked<Signals> {
    let signals = Locked(Signals())
    mutant.onSignal = { base, id, signal, time in
      let receipt = try await base.signal(id, signal, at: time)
      signals.withLock { $0.sent[id, default: []].append(signal) }
      return receipt
    }
    mutant.onStart = { base, start, time in
      let run = try await base.start(start, at: time)
      let kept = signals.withLock { $0.purged.contains(run.id) ? $0.sent[run.id] ?? [] : [] }
      for signal in kept { try await base.signal(run.id, signal, at: time) }
      return run
    }
    return signals
  }
}
