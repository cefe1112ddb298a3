import FieldstoneCore

extension RunnerSession {
  /// Declares the limits of the flows to the journal, and tells where that keeps others.
  func declareLimits() async throws {
    let kept = try await journal.flowLimits()
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
  }
}

extension DurableRunner {
  /// Puts the limits that this runner's flows declare in the place of those that the journal keeps.
  ///
  /// Call it where a new version of the code has other limits, from one process. Runs that have begun
  /// go on; the next claim of any worker keeps the new limits. O(n) in the number of runs of the flows
  /// whose limits change.
  ///
  /// - Throws: ``JournalError``.
  public func replaceLimits() async throws {
    let kept = try await journal.flowLimits()
    for flow in flows where kept[flow.name] != flow.limits {
      try await journal.setLimits(
        flow.limits, of: flow.name, replacing: true, at: JournalTime(time, boot: options.boot))
    }
  }
}
