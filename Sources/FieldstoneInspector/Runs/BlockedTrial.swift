#if INSPECTOR
  import FieldstoneDurable
  import Foundation

  /// The results of decoding the blocked runs of a filter with this process's code, without a change.
  struct BlockedTrial {
    /// A run, and the error of decoding its stage; nil if it can be decoded.
    struct Verdict {
      var run: RunRecord
      var problem: String?
    }

    /// The maximum number of tried runs.
    static let most = 1_000

    /// The runs with flows of this process, in the journal's order.
    private(set) var verdicts: [Verdict] = []
    /// The number of runs with other flows, or with newer versions of them.
    private(set) var leftAlone = 0
    /// Whether there are more runs than were tried.
    private(set) var hasMore = false

    /// Tries the blocked runs of a filter, youngest first.
    ///
    /// O(runs found), at most ``most``.
    init(
      _ filter: RunFilter, of flows: [DurableFlow], in journal: any Journal, _ pauses: RunPauses,
      at date: Date
    ) async throws {
      guard var query = filter.query.counted else { return }
      query.states.formIntersection([.blocked])
      guard !query.states.isEmpty else { return }
      query.limit = 200
      let check = StageCheck.flows(flows)
      var looked = 0
      while true {
        let page = try await journal.runs(query)
        for run in page.runs where filter.takes(run, pauses, at: date) {
          add(run, check)
        }
        looked += page.runs.count
        guard let next = page.next, next != query.before, !page.runs.isEmpty else { return }
        guard looked < Self.most else {
          hasMore = true
          return
        }
        query.before = next
      }
    }

    private mutating func add(_ run: RunRecord, _ check: StageCheck) {
      do throws(DurableRunError) {
        try check.check(
          run.payload, version: run.version, of: run.flow, run: run.id, sequence: run.sequence)
        verdicts.append(Verdict(run: run))
      } catch {
        guard case .unreadable(_, _, let reason) = error else {
          leftAlone += 1
          return
        }
        verdicts.append(Verdict(run: run, problem: reason))
      }
    }
  }
#endif
