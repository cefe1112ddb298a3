#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneServing
  import Foundation

  /// The place at which a trial of blocked runs continues, and the results before it.
  struct TrialPlace: Hashable {
    /// The last run that was tried; nil at the beginning.
    var after: RunID?
    /// The number of runs before it that can be decoded.
    var good = 0
    /// The number of runs before it that can't be decoded.
    var failed = 0
    /// The number of runs before it with other flows or versions.
    var leftAlone = 0
    /// The page of the table, from 1.
    var page = 1

    init() {}

    /// Parses the place in an address.
    ///
    /// - Throws: `InspectorRefusal` for an invalid identifier or number.
    init(_ values: FormValues) throws(InspectorRefusal) {
      if let text = values["from"] {
        guard let id = RunID(text) else { throw .noIdentifier(text) }
        after = id
      }
      good = try Self.number("good", values) ?? 0
      failed = try Self.number("failed", values) ?? 0
      leftAlone = try Self.number("left", values) ?? 0
      page = max(try Self.number("page", values) ?? 1, 1)
    }

    private static func number(
      _ name: String, _ values: FormValues
    ) throws(InspectorRefusal) -> Int? {
      guard let text = values[name] else { return nil }
      guard let number = Int(text), (0...1_000_000_000) ~= number else {
        throw InspectorRefusal(400, "“\(text.prefix(64))” is no number of runs.")
      }
      return number
    }

    /// The names and values of its address.
    var pairs: [(String, String)] {
      let numbers = [
        ("good", good), ("failed", failed), ("left", leftAlone), ("page", page > 1 ? page : 0),
      ].filter { $0.1 > 0 }
      return (after.map { [("from", "\($0)")] } ?? []) + numbers.map { ($0.0, "\($0.1)") }
    }
  }

  /// The results of decoding the blocked runs of a filter with this process's code, without a change.
  struct BlockedTrial {
    /// A run, and the error of decoding its stage; nil if it can be decoded.
    struct Verdict {
      var run: RunRecord
      var problem: String?
    }

    /// The maximum number of tried runs.
    static let most = 1_000
    /// The maximum size of their stages, in bytes.
    private static let byteLimit = 32 << 20

    /// The place at which it began.
    let place: TrialPlace
    /// The runs with flows of this process: those that can't be decoded, then the others, each in
    /// the journal's order.
    private(set) var verdicts: [Verdict] = []
    /// The number of runs with other flows, or with newer versions of them.
    private(set) var leftAlone = 0
    /// The last tried run, if there are more.
    private var last: RunID?

    /// The number of verdicts with an error.
    var failed: Int { verdicts.count { $0.problem != nil } }

    /// The place at which the next trial continues; nil if all runs were tried.
    var next: TrialPlace? {
      guard let last else { return nil }
      var next = place
      next.after = last
      next.failed += failed
      next.good += verdicts.count - failed
      next.leftAlone += leftAlone
      next.page = 1
      return next
    }

    /// Tries the blocked runs of a filter, youngest first.
    ///
    /// O(runs read), at most ``most``. Of a filter that no index covers, all blocked runs are looked
    /// through: there are fewer of them than of other runs.
    init(
      _ filter: RunFilter, from place: TrialPlace, of flows: [DurableFlow],
      in journal: any Journal, _ waits: WaitReasons, at date: Date
    ) async throws {
      self.place = place
      guard var query = filter.query.counted else { return }
      query.states.formIntersection([.blocked])
      guard !query.states.isEmpty else { return }
      let wanted = query
      if try await !journal.isBounded(query) {
        (query.attributes, query.error) = ([:], nil)
        query = query.widened
      }
      query.limit = 200
      query.before = place.after
      let check = StageCheck.flows(flows)
      var (looked, bytes) = (0, 0)
      while true {
        let page = try await journal.runs(query)
        for run in page.runs {
          bytes += run.payload.count
          if filter.wants(run, of: wanted, waits, at: date) { add(run, check) }
        }
        looked += page.runs.count
        guard let next = page.next, next != query.before, !page.runs.isEmpty else { break }
        guard looked < Self.most, bytes < Self.byteLimit else {
          last = next
          break
        }
        query.before = next
      }
      verdicts = verdicts.filter { $0.problem != nil } + verdicts.filter { $0.problem == nil }
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
