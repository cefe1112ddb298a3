import Foundation

/// A violation of a journal's rules.
public struct JournalFinding: Sendable, Hashable {
  /// The run concerned; nil if there is none.
  public var run: RunID?
  /// A description of the violation.
  public var detail: String

  /// Makes a finding.
  public init(run: RunID? = nil, _ detail: String) {
    self.run = run
    self.detail = detail
  }
}

extension JournalFinding: CustomStringConvertible {
  /// The run and the violation, in one line.
  public var description: String { (run.map { "\($0): " } ?? "") + detail }
}

/// A journal that also checks its tables, which no other code can see.
package protocol SelfVerifyingJournal: Journal {
  /// The violations in the tables, all read at one moment.
  func findingsInTables() async throws -> [JournalFinding]
}

extension Journal {
  /// Checks a journal's rules: unbroken chains, fences in order, and workers of running runs only.
  ///
  /// A journal in a database is also checked for steps, signals and starts without a run. A journal
  /// with a codec is also checked for payloads that do not decode. Workers may continue meanwhile.
  /// A chain may lack its oldest steps, which a purge has removed.
  ///
  /// - Parameter report: called at once with each finding.
  /// - Returns: the number of checked runs.
  /// - Throws: ``JournalError``, and the errors of `report`.
  /// - Complexity: O(n) in the number of runs and steps; the memory of one page.
  @discardableResult
  public func verify(
    report: (JournalFinding) throws -> Void
  ) async throws -> Int {
    if let journal = self as? any SelfVerifyingJournal {
      for finding in try await journal.findingsInTables() { try report(finding) }
    }
    var count = 0
    var before: RunID?
    repeat {
      let page = try await runs(RunQuery(before: before, limit: 1_000))
      for record in page.runs {
        for detail in try await settledFindings(of: record) {
          try report(JournalFinding(run: record.id, detail))
        }
      }
      count += page.runs.count
      before = page.next
    } while before != nil
    return count
  }

  /// The violations of a run that does not change during the check.
  private func settledFindings(of first: RunRecord) async throws -> [String] {
    var record = first
    while true {
      let details = try await findings(of: record)
      guard !details.isEmpty else { return [] }
      // The run changed, or was purged, between the reads of its record and its steps.
      guard let now = try await run(record.id) else { return [] }
      if now == record { return details }
      record = now
    }
  }

  private func findings(of record: RunRecord) async throws -> [String] {
    var details = record.findings
    if let error = PayloadEnvelope.error(of: record.payload) { details.append(error.message) }
    var next: Int?
    var fence = 0
    var after: Int?
    repeat {
      let page = try await steps(of: record.id, after: after, limit: 1_000)
      for step in page.steps {
        if let next, step.sequence != next {
          details.append("step \(step.sequence) comes where step \(next) should be")
        }
        if step.fence < fence {
          details.append(
            "step \(step.sequence) has the fence \(step.fence), and the one before it \(fence)")
        }
        if let error = PayloadEnvelope.error(of: step.payload) { details.append(error.message) }
        (next, fence) = (step.sequence + 1, step.fence)
      }
      after = page.next
    } while after != nil && details.count < 10
    if let next, next != record.sequence, details.count < 10 {
      details.append("its steps end at \(next - 1), and it is at stage \(record.sequence)")
    }
    if fence > record.fence {
      details.append("a step has the fence \(fence), and the run \(record.fence)")
    }
    return details
  }
}

extension RunRecord {
  /// The violations in a record by itself.
  fileprivate var findings: [String] {
    var details: [String] = []
    func rule(_ isKept: Bool, _ detail: String) {
      if !isKept { details.append(detail) }
    }
    rule(sequence >= 0 && fence >= 0, "its stage or its fence has a number below zero")
    rule(
      attempts >= 0 && crashes >= 0 && loneCrashes >= 0, "a count of attempts is below zero")
    rule(
      (state == .running) == (worker != nil),
      "it is \(state.rawValue), and its worker is \(worker ?? "none")")
    rule(state != .running || fence > 0, "it is running, and was never claimed")
    rule(state == .ready || dueAt == nil, "it is \(state.rawValue), and waits for a time")
    rule(state != .completed || sequence > 0, "it is completed, and has no stage behind it")
    return details
  }
}
