import FieldstoneCore

extension RunnerSession {
  /// Declares the flows' limits to the journal, and reports flows whose stored limits differ.
  ///
  /// While one of several journals is down, the limits can't be read. The reachable journals then
  /// get the declared limits, and their runs are claimed.
  ///
  /// - Returns: true if the journal's limits were read; otherwise call it again.
  func declareLimits() async throws -> Bool {
    let kept: [String: FlowLimits]
    do {
      kept = try await journal.flowLimits()
    } catch let error as JournalError where error.isTransient {
      for flow in flows.values where flow.limits != nil {
        try await journal.setLimits(
          flow.limits, of: flow.name, replacing: false, at: journalTime)
      }
      return false
    }
    for flow in flows.values.sorted(by: { $0.name < $1.name }) {
      guard kept[flow.name] != flow.limits else { continue }
      var holding = kept[flow.name]
      if holding == nil {
        holding = try await journal.setLimits(
          flow.limits, of: flow.name, replacing: false, at: journalTime)
      }
      if holding != flow.limits {
        emit(.limitsDiffer(declared: flow.limits, kept: holding), flow: flow.name)
      }
    }
    return true
  }
}

extension DurableRunner {
  /// Replaces the limits in the journal with those that this runner's flows declare.
  ///
  /// Call it from one process when a new version of the code has other limits. Runs in progress
  /// continue; the next claim of any worker applies the new limits. O(n) in the number of runs of
  /// the flows whose limits change.
  ///
  /// - Throws: ``JournalError``.
  public func replaceLimits() async throws {
    let kept = try await journal.flowLimits()
    for flow in flows where kept[flow.name] != flow.limits {
      try await journal.setLimits(
        flow.limits, of: flow.name, replacing: true, by: options.worker,
        at: JournalTime(time, boot: options.boot))
    }
  }
}
