/// The blocked runs that a runner has yet to look at: a page of a flow at a time, so that no other
/// work waits for all of them.
struct BlockedRuns {
  fileprivate var flows: [DurableFlow]
  fileprivate var before: RunID?

  init(flows: [DurableFlow]) { self.flows = flows }

  var isEmpty: Bool { flows.isEmpty }
}

extension RunnerSession {
  /// Makes the blocked runs of a page ready, to be read by the next claim.
  ///
  /// They were blocked by code that could not read them: by an older one, or by this one before it was
  /// mended. None is read here: one that ends the process as it is read must have been claimed, so that
  /// its crash is counted. What can't be read now either is blocked again.
  func free(_ blocked: inout BlockedRuns) async throws {
    guard let flow = blocked.flows.first else { return }
    let page = try await journal.runs(
      RunQuery(flow: flow.name, states: [.blocked], before: blocked.before, limit: 100))
    for record in page.runs where flow.mayFree(record) {
      try await journal.free(record.id, at: journalTime)
    }
    blocked.before = page.next
    if page.next == nil { blocked.flows.removeFirst() }
  }
}

extension DurableFlow {
  /// Whether a run is blocked that this code may be able to read.
  func mayFree(_ record: RunRecord) -> Bool {
    record.state == .blocked && record.version <= version
  }
}

extension Journal {
  /// Makes a blocked run ready, unless another process was faster.
  func free(_ id: RunID, at time: JournalTime) async throws {
    do {
      try await change(id, .retry, at: time)
    } catch JournalError.notAllowed, JournalError.noRun {}
  }
}
