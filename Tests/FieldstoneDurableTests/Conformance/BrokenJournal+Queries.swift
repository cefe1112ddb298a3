import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation

/// Broken in how runs are found and counted.
extension BrokenJournal {
  static var queries: [Self] { filters + waits + counts }

  private static var filters: [Self] {
    [
      Self(.filter, "the beginning of a key is not looked at") {
        $0.onRuns = querying { $0.keyPrefix = $0.keyPrefix.map { _ in "" } }
      },
      Self(.filter, "the beginning of a key is the key") {
        $0.onRuns = querying {
          if let prefix = $0.keyPrefix { ($0.key, $0.keyPrefix) = (prefix, nil) }
        }
      },
      Self(.filter, "the beginning of a key is compared by characters") {
        $0.onRuns = { base, query in
          guard let prefix = query.keyPrefix else { return try await base.runs(query) }
          var all = query
          (all.keyPrefix, all.after, all.limit) = (nil, nil, 1_000)
          let runs = try await base.runs(all).runs.filter { $0.key?.hasPrefix(prefix) == true }
          let rest = runs.filter { run in query.after.map { run.id < $0.id } ?? true }
          let page = Array(rest.prefix(query.effectiveLimit))
          return RunPage(runs: page, next: page.count < rest.count ? page.last?.id : nil)
        }
      },
      Self(.filter, "what is started at the end is found") {
        $0.onRuns = querying { $0.until = $0.until.map { $0 + 0.001 } }
      },
      Self(.filter, "what stopped just then is left out") {
        $0.onRuns = querying { $0.stoppedSince = $0.stoppedSince.map { $0 + 0.001 } }
      },
      Self(.filter, "what stopped at the end is found") {
        $0.onRuns = querying { $0.stoppedUntil = $0.stoppedUntil.map { $0 + 0.001 } }
      },
      Self(.filter, "what goes on counts as stopped") {
        $0.onRuns = { base, query in
          guard let since = query.stoppedSince, query.stoppedUntil == nil, query.limit == 1_000
          else { return try await base.runs(query) }
          var all = query
          all.stoppedSince = nil
          return RunPage(runs: try await base.runs(all).runs.filter { $0.changedAt >= since })
        }
      },
      Self(.pageOrder, "there is one order") { $0.onRuns = querying { $0.order = .newestFirst } },
      Self(.pageOrder, "those that stopped are ordered by their start") {
        $0.onRuns = querying {
          guard $0.order.isByStop else { return }
          $0.states = $0.possibleStates
          $0.order = $0.order.isDescending ? .newestFirst : .oldestFirst
        }
      },
      Self(.pageOrder, "behind a run that was purged the next one is passed over") {
        $0.onRuns = { base, query in
          var page = try await base.runs(query)
          if let after = query.after, try await base.run(after.id) == nil, !page.runs.isEmpty {
            page.runs.removeFirst()
          }
          return page
        }
      },
      Self(.pageOrder, "the oldest first begins with the last of the page before") {
        $0.onRuns = { base, query in
          var page = try await base.runs(query)
          guard query.order == .oldestFirst, let last = query.after,
            let run = try await base.run(last.id)
          else { return page }
          page.runs.insert(run, at: 0)
          return page
        }
      },
      Self(.pageOrder, "runs that stopped at the same time are passed over") {
        $0.onRuns = { base, query in
          var query = query
          if query.order == .lastStoppedFirst, let place = query.after, let date = place.stoppedAt {
            query.after = RunPlace(place.id, stoppedAt: date - 0.000_001)
          }
          return try await base.runs(query)
        }
      },
      Self(.pageOrder, "a place without a time is the beginning") {
        $0.onRuns = querying {
          if $0.order.isByStop, $0.after?.stoppedAt == nil { $0.after = nil }
        }
      },
    ]
  }

  private static var waits: [Self] {
    [
      Self(.waits, "every ready run waits") {
        $0.onRuns = querying { query in
          if query.waiting != nil { (query.states, query.waiting) = (query.possibleStates, nil) }
        }
      },
      Self(.waits, "names of signals are not looked at") {
        $0.onRuns = querying { if case .signal = $0.waiting { $0.waiting = .signal(nil) } }
      },
      Self(.waits, "an attempt is a time") {
        $0.onRuns = querying { if $0.waiting == .retry { $0.waiting = .time } }
      },
      Self(.waits, "only runs are paused") {
        $0.onRuns = { base, query in
          let page = try await base.runs(query)
          guard query.waiting == .pause, query.limit == 1_000 else { return page }
          return RunPage(runs: page.runs.filter(\.isPaused))
        }
      },
      Self(.waits, "a full key is no reason") {
        $0.onRuns = querying { if $0.waiting == .keyLimit { $0.waiting = .quarantine } }
      },
      Self(.waits, "what is behind a full key waits for its time, too") {
        $0.onRuns = { base, query in
          var page = try await base.runs(query)
          guard query.waiting == .time else { return page }
          var behind = query
          behind.waiting = .keyLimit
          page.runs += try await base.runs(behind).runs.filter { $0.dueAt != nil }
          return page
        }
      },
      Self(.errors, "errors are not looked at") { $0.onRuns = querying { $0.error = nil } },
      Self(.errors, "groups are in any order") {
        $0.onErrorGroups = { try await $0.errorGroups(atMost: $1).reversed() }
      },
      Self(.errors, "there are as many groups as there are errors") {
        $0.onErrorGroups = { base, _ in try await base.errorGroups(atMost: 1_000) }
      },
      Self(.errors, "what was retried is still counted") {
        $0.onErrorGroups = { base, limit in
          let all = try await base.runs(RunQuery(limit: 1_000)).runs
          var groups: [ErrorFingerprint: ErrorGroup] = [:]
          for run in all.sorted(by: { $0.id > $1.id }) {
            guard let error = run.error else { continue }
            let print = ErrorFingerprint(of: error)
            groups[
              print,
              default: ErrorGroup(
                fingerprint: print, runs: RunCount(0), youngest: run.id, sample: error)
            ].runs.number += 1
          }
          return groups.values.mostFrequent(limit)
        }
      },
    ]
  }

  private static var counts: [Self] {
    [
      Self(.count, "a count is the first page's") {
        $0.onCount = { base, query, _ in RunCount(try await base.runs(query).runs.count) }
      },
      Self(.count, "a count that is met says that there are more") {
        $0.onCount = { base, query, limit in
          var count = try await base.count(query, atMost: limit)
          if count.number == limit { count.hasMore = true }
          return count
        }
      },
      Self(.count, "a count has no limit") {
        $0.onCount = { base, query, _ in try await base.count(query, atMost: .max) }
      },
      Self(.count, "a count begins at the place") {
        $0.onCount = { base, query, limit in
          guard query.after != nil else { return try await base.count(query, atMost: limit) }
          var query = query
          query.limit = 1_000
          return RunCount(try await base.runs(query).runs.count)
        }
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
}
