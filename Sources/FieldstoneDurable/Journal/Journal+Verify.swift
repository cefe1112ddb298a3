import Foundation

/// Something in a journal that breaks its rules.
public struct JournalFinding: Sendable, Hashable {
  /// The run that it is about; nil when it is about none.
  public var run: RunID?
  /// What is wrong.
  public var detail: String

  /// Makes a finding.
  public init(run: RunID? = nil, _ detail: String) {
    self.run = run
    self.detail = detail
  }
}

extension JournalFinding: CustomStringConvertible {
  /// The run and what is wrong with it, in one line.
  public var description: String { (run.map { "\($0): " } ?? "") + detail }
}

/// A journal that also looks at what no other can see: its tables.
package protocol SelfVerifyingJournal: Journal {
  /// What breaks the rules in the tables, the same for all at one moment.
  func findingsInTables() async throws -> [JournalFinding]
}

extension Journal {
  /// Looks whether a journal keeps its rules: unbroken chains, fences in order, workers of what is
  /// running and of nothing else; of a journal in a database also steps, signals and starts without a
  /// run.
  ///
  /// Workers may go on meanwhile. A chain may lack its oldest steps, which a purge has removed.
  ///
  /// - Parameter report: hears of each finding, at once.
  /// - Returns: how many runs were looked at.
  /// - Throws: ``JournalError``, and what `report` throws.
  /// - Complexity: O(n) in the number of runs and steps; the memory is that of a page.
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

  /// What is wrong with a run that stands still while it is looked at.
  private func settledFindings(of first: RunRecord) async throws -> [String] {
    var record = first
    while true {
      let details = try await findings(of: record)
      guard !details.isEmpty else { return [] }
      // It went on, or was purged, between its record and its steps.
      guard let now = try await run(record.id) else { return [] }
      if now == record { return details }
      record = now
    }
  }

  private func findings(of record: RunRecord) async throws -> [String] {
    var details = record.findings
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
  /// What is wrong with a record by itself.
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
