import FieldstoneCore
import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation
import Testing

/// Journals that do what the protocol leaves open otherwise than those of the package.
@Suite("What the journal conformance suite accepts", .timeLimit(.minutes(20)))
struct AcceptedJournalTests {
  /// The flows whose last claim has found no run.
  private let empty = Locked<Set<String>>([])
  private let claims = Locked(0)

  @Test("Changes told again, other orders of equals, and claims with a small bound")
  func others() async throws {
    try await JournalConformance { other() }.check()
  }

  private func other() -> JournalMutant {
    var mutant = JournalMutant()
    mutant.onChanges = { base, mark in
      var changes = try await base.changes(since: mark)
      guard changes.runs != nil, mark != nil else { return changes }
      for run in try await base.runs(RunQuery(limit: 1_000)).runs {
        changes.runs?[run.id] = run.state
      }
      return changes
    }
    mutant.onPauses = { base in
      func name(_ pause: JournalPause) -> String {
        if case .concurrencyKey(let key, flow: _) = pause.target { key } else { "" }
      }
      let pauses = try await base.pauses()
      let keys = pauses.filter { !name($0).isEmpty }.sorted { name($0) < name($1) }
      let first = pauses.firstIndex { !name($0).isEmpty } ?? pauses.endIndex
      return pauses[..<first] + keys + pauses[(first + keys.count)...]
    }
    mutant.onErrorGroups = { base, limit in
      let groups = try await base.errorGroups(atMost: 1_000)
      let sorted = groups.sorted { ($1.runs.number, $0.youngest) < ($0.runs.number, $1.youngest) }
      return Array(sorted.prefix(max(limit, 0)))
    }
    mutant.onClaim = { [claims, empty] base, request, time in
      let many = try await base.count(RunQuery(states: [.ready]), atMost: 1_001).number > 1_000
      let number = claims.withLock { number in
        number += 1
        return number
      }
      if many, number % 8 > 0 { return Claim(runs: [], nextDueAt: time.date - 1) }
      let claim = try await base.claim(request, at: time)
      let found = claim.runs.map(\.record.flow)
      empty.withLock { empty in
        for room in request.flows where !found.contains(room.flow) { empty.insert(room.flow) }
        empty.subtract(found)
      }
      return claim
    }
    mutant.onStanding = { [empty] base, id in
      var standing = try await base.standing(of: id)
      if let flow = standing?.record.flow, !empty.withLock({ $0.contains(flow) }) {
        standing?.limitUse?.nextToken = nil
      }
      return standing
    }
    return mutant
  }

  @Test("Limits that nothing exceeds")
  func endless() async throws {
    let limits = PayloadLimits(
      warning: .max, error: .max, key: .max, children: .max, depth: .max)
    var suite = JournalConformance { InMemoryJournal(limits: limits) }
    suite.payloadLimit = .max
    try await suite.check()
  }

  @Test("No audit, where the suite is told so")
  func unaudited() async throws {
    var suite = JournalConformance {
      var mutant = JournalMutant()
      mutant.onAudit = { _, _ in AuditPage(records: []) }
      return mutant
    }
    #expect(try await suite.finds(.audit))
    suite.keepsAudit = false
    try await suite.check()
  }
}
