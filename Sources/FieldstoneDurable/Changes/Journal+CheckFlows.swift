/// An open run that a build can't continue.
package struct UnreadableRun: Sendable {
  /// The run's current record.
  package var record: RunRecord
  /// The reason that its stage can't be read.
  package var reason: String
}

/// A summary of a journal's open runs, as a build would read them.
package struct FlowCheck: Sendable, Hashable {
  /// The number of runs that were decoded or could not be.
  package var checked = 0
  /// The number of them that would be blocked.
  package var unreadable = 0
  /// The number of runs that the build leaves alone, by flow: those of other flows and newer
  /// versions.
  package var leftAlone: [String: Int] = [:]
}

extension Journal {
  /// Decodes the stage of each unfinished run: ready, running, blocked and dead runs.
  ///
  /// Nothing is written. A run that workers change meanwhile is examined once, in its state at that
  /// time.
  ///
  /// - Parameters:
  ///   - flows: the flows of the build.
  ///   - report: called at once for each run that would be blocked.
  /// - Throws: ``JournalError``, and the errors of `report`.
  /// - Complexity: O(n) in the number of open runs; the memory of one page.
  package func check(
    _ flows: [DurableFlow], report: (UnreadableRun) throws -> Void
  ) async throws -> FlowCheck {
    let check = StageCheck.flows(flows)
    var result = FlowCheck()
    var query = RunQuery(states: [.ready, .running, .blocked, .dead], limit: 200)
    while true {
      let page = try await runs(query)
      for run in page.runs {
        do throws(DurableRunError) {
          try check.check(
            run.payload, version: run.version, of: run.flow, run: run.id, sequence: run.sequence)
          result.checked += 1
        } catch {
          switch error {
          case .unreadable(_, _, let reason):
            result.checked += 1
            result.unreadable += 1
            try report(UnreadableRun(record: run, reason: reason))
          default: result.leftAlone[run.flow, default: 0] += 1
          }
        }
      }
      guard let next = page.next, next != query.before else { return result }
      query.before = next
    }
  }
}
