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
    for record in page.runs where record.version <= flow.version {
      guard (try? flow.prepare(record)) != nil else { continue }
      do {
        try await journal.change(record.id, .retry, at: journalTime)
      } catch JournalError.notAllowed, JournalError.noRun {
        // Somebody else was faster.
      }
    }
    blocked.before = page.next
    if page.next == nil { blocked.flows.removeFirst() }
  }
}
