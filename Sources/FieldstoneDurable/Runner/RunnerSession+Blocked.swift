/// The blocked runs that a runner has yet to look at: a page of a flow at a time, so that nobody
/// waits for all of them.
struct BlockedRuns {
  fileprivate var flows: [DurableFlow]
  fileprivate var before: RunID?

  init(flows: [DurableFlow]) { self.flows = flows }

  var isEmpty: Bool { flows.isEmpty }
}

extension RunnerSession {
  /// Makes the blocked runs of a page ready that this code can read.
  ///
  /// They were blocked by code that could not: by an older one, or by this one before it was mended.
  /// What can't be read now either is left as it is.
  func free(_ blocked: inout BlockedRuns) async throws {
    guard let flow = blocked.flows.first else { return }
    let page = try await journal.runs(
      RunQuery(flow: flow.name, states: [.blocked], before: blocked.before, limit: 100))
    for record in page.runs where flow.canFree(record) {
      try await journal.free(record.id, at: journalTime)
    }
    blocked.before = page.next
    if page.next == nil { blocked.flows.removeFirst() }
  }
}

extension DurableFlow {
  /// Whether a run is blocked that could go on with this code.
  func canFree(_ record: RunRecord) -> Bool {
    record.state == .blocked && record.version <= version && (try? prepare(record)) != nil
  }
}

extension Journal {
  /// Makes a blocked run ready, unless somebody else was faster.
  func free(_ id: RunID, at time: JournalTime) async throws {
    do {
      try await change(id, .retry, at: time)
    } catch JournalError.notAllowed, JournalError.noRun {}
  }
}
