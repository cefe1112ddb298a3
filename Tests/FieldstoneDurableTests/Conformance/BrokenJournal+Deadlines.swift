import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation

/// Broken in deadlines, attributes and traces.
extension BrokenJournal {
  static var deadlines: [Self] {
    [
      Self(.deadline, "deadlines are forgotten") {
        $0.onStart = { base, start, time in
          var start = start
          start.deadline = nil
          return try await base.start(start, at: time)
        }
      },
      Self(.deadline, "a renewal prolongs what is past its deadline") {
        $0.onRenew = { base, claims, lease, time in
          var early = time
          early.date -= 5
          return try await base.renew(claims, lease: lease, at: early)
        }
      },
      Self(.deadline, "a deadline comes five seconds early") {
        $0.onStart = { base, start, time in
          var start = start
          start.deadline = start.deadline.map { $0 - 5 }
          return try await base.start(start, at: time)
        }
      },
      Self(.deadline, "the next deadline is not told") {
        $0.onClaim = { base, request, time in
          var claim = try await base.claim(request, at: time)
          claim.nextDueAt = nil
          return claim
        }
      },
    ]
  }
}

/// Broken in attributes and traces.
extension BrokenJournal {
  static var attributes: [Self] {
    [
      Self(.attributes, "a query leaves attributes aside") {
        $0.onRuns = { base, query in
          var query = query
          query.attributes = [:]
          return try await base.runs(query)
        }
      },
      Self(.attributes, "a query asks for one of them") {
        $0.onRuns = { base, query in
          var query = query
          if query.attributes.count > 1 { query.attributes["amount"] = nil }
          return try await base.runs(query)
        }
      },
      Self(.attributes, "traces are forgotten") {
        $0.onStart = { base, start, time in
          var start = start
          start.trace = [:]
          return try await base.start(start, at: time)
        }
      },
    ]
  }
}
