#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import Foundation

  /// The limits of a page of runs without an index.
  enum RunSearch {
    /// The maximum number of runs that one page scans for filters without an index.
    static let limit = 2_000
    /// The maximum size of their stages, in bytes.
    static let byteLimit = 16 << 20
    /// Of a filter with fewer runs than this, a journal tests all of them for the other filters.
    static let few = 1_000
  }

  /// A page of the runs of a filter, and their number as far as an index counts it.
  struct RunFinding {
    var lookup: RunLookup
    var count: RunCount?
  }

  extension Journal {
    /// A page of the runs of a filter, in its order.
    ///
    /// O(runs of the page) with the journal's indices. Some filters have no index: a part of an
    /// error, a reason that is derived from a run's record, and several filters that each find
    /// many runs. A page then scans at most ``RunSearch/limit`` runs, and the next continues there.
    func search(
      _ filter: RunFilter, _ waits: WaitReasons, at date: Date
    ) async throws -> RunFinding {
      let query = filter.query
      let isBounded = try await isBounded(query)
      if isBounded, !filter.looksThrough {
        return RunFinding(
          lookup: RunLookup(page: try await runs(query)), count: try await count(query))
      }
      let lookup = try await lookThrough(
        isBounded ? query : query.widened, atMost: RunSearch.limit, bytes: RunSearch.byteLimit
      ) { filter.wants($0, of: query, waits, at: date) }
      let isCounted = !filter.looksThrough && query.isCounted
      return RunFinding(lookup: lookup, count: isCounted ? try await count(query) : nil)
    }

    /// Whether a page of a query reads a bounded number of runs.
    func isBounded(_ query: RunQuery) async throws -> Bool {
      if query.isCovered { return true }
      for single in query.singles {
        if try await !count(single, atMost: RunSearch.few - 1).hasMore { return true }
      }
      return false
    }
  }

  extension RunFilter {
    /// Whether a run passes the filter, except its wait if an index finds that; O(length of its
    /// error).
    ///
    /// - Parameter query: the filter's query, which is not made for each run: its days are parsed.
    func wants(
      _ run: RunRecord, of query: RunQuery, _ waits: WaitReasons, at date: Date
    ) -> Bool {
      query.wants(run) && query.wantsError(of: run) && takes(run, waits, at: date)
    }
  }

  extension RunQuery {
    private var hasStopTime: Bool { stoppedSince != nil || stoppedUntil != nil }
    private var hasStartTime: Bool { since != nil || until != nil }

    /// The filters with an index of their own, one query for each.
    var singles: [RunQuery] {
      var singles = attributes.map { name, value in
        var single = RunQuery()
        single.attributes = [name: value]
        return single
      }
      if let error {
        var single = RunQuery()
        single.error = error
        singles.append(single)
      }
      if let waiting {
        var single = RunQuery(flow: flow)
        single.waiting = waiting
        singles.append(single)
      }
      if let keyPrefix {
        var single = RunQuery(flow: flow)
        single.keyPrefix = keyPrefix
        singles.append(single)
      }
      if hasStopTime {
        var single = RunQuery(flow: flow, states: states)
        (single.stoppedSince, single.stoppedUntil) = (stoppedSince, stoppedUntil)
        singles.append(single)
      }
      return singles
    }

    /// Whether one index has exactly the runs of the query, in its order.
    var isCovered: Bool {
      if key != nil || findsNothing { return true }
      let singles = singles
      guard let single = singles.first else { return !(order.isByStop && hasStartTime) }
      guard singles.count == 1 else { return false }
      if hasStopTime { return order.isByStop && !hasStartTime }
      if order.isByStop || keyPrefix != nil { return false }
      if single.waiting != nil { return true }
      let isAnyState = states.isEmpty || (error != nil && states.isSuperset(of: [.dead, .blocked]))
      return flow == nil && isAnyState
    }

    /// Whether an index counts the runs of the query.
    var isCounted: Bool {
      if isCovered { return true }
      guard singles.count == 1, !hasStartTime else { return false }
      return hasStopTime || (keyPrefix != nil && states.isEmpty && !order.isByStop)
    }

    /// A query with more runs, whose pages an index has in the same order.
    var widened: RunQuery {
      var query = RunQuery(flow: flow, states: states, limit: limit)
      (query.order, query.after) = (order, after)
      if order.isByStop {
        (query.stoppedSince, query.stoppedUntil) = (stoppedSince, stoppedUntil)
        return query
      }
      (query.since, query.until) = (since, until)
      if let waiting {
        query.waiting = waiting
      } else if let error {
        (query.flow, query.states, query.error) = (nil, [], error)
      } else if let attribute = attributes.min(by: { $0.key < $1.key }) {
        (query.flow, query.states) = (nil, [])
        query.attributes = [attribute.key: attribute.value]
      }
      return query
    }
  }
#endif
