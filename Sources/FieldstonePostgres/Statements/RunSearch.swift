#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  /// The statement that searches lists for the runs of a query.
  struct RunSearch {
    private let query: RunQuery
    private(set) var parameters: [PostgresParameter] = []

    init(_ query: RunQuery) { self.query = query }

    private mutating func bind(_ parameter: PostgresParameter) -> String {
      parameters.append(parameter)
      return "$\(parameters.count)"
    }

    /// The records of the runs, in the order of the query.
    mutating func records(_ lists: [RunList], limit: Int) -> String {
      var rows: [String] = []
      for list in lists { rows.append("(\(self.rows(of: list, limit: limit)))") }
      return """
        WITH found AS MATERIALIZED (SELECT id, changed_at FROM \
        (\(rows.joined(separator: " UNION ALL "))) u \(sorting(by: "")) LIMIT \(limit)) \
        SELECT \(RunColumns.withStage) FROM found JOIN run r ON r.id = found.id \
        JOIN step s ON s.run = r.id AND s.sequence = r.sequence \
        \(sorting(by: "found."))
        """
    }

    /// The number of the runs, up to a limit.
    mutating func counting(_ lists: [RunList], limit: Int) -> String {
      counting(lists, limit) { search, list in
        search.terms(for: list, hasPlace: list.isSorted(by: search.query.order))
      }
    }

    /// The number of runs in lists, up to a limit, without other filters.
    mutating func sizing(_ lists: [RunList], limit: Int) -> String {
      counting(lists, limit) { search, list in
        if case .stopped = list { search.termsOfStopping("r.stopped_at") } else { [] }
      }
    }

    private mutating func counting(
      _ lists: [RunList], _ limit: Int, _ terms: (inout Self, RunList) -> [String]
    ) -> String {
      var rows: [String] = []
      for list in lists {
        let terms = terms(&self, list)
        rows.append("(\(range(of: list, terms, "")))")
      }
      return """
        SELECT count(*) FROM (SELECT 1 FROM (\(rows.joined(separator: " UNION ALL "))) u \
        LIMIT \(bind(.integer(limit)))) c
        """
    }

    /// The order of the pages.
    ///
    /// - Parameter stop: the column with the time of stopping.
    private func sorting(by table: String, stop: String = "changed_at") -> String {
      let direction = query.order.isDescending ? " DESC" : ""
      let id = "\(table)id\(direction)"
      return query.order.isByStop ? "ORDER BY \(table)\(stop)\(direction), \(id)" : "ORDER BY \(id)"
    }

    /// The order of a list's index.
    private func sorting(within list: RunList) -> String {
      switch list {
      case .stopped: return sorting(by: "r.", stop: "stopped_at")
      case .all: return sorting(by: "r.")
      case .attribute: return sorting(by: "a.")
      default:
        return "\(sorting(by: "r.")) NULLS \(query.order.isDescending ? "LAST" : "FIRST")"
      }
    }

    /// The first runs of a list.
    private mutating func rows(of list: RunList, limit: Int) -> String {
      if list.isSorted(by: query.order) {
        let end = "\(sorting(within: list)) LIMIT \(limit)"
        let rows = range(of: list, terms(for: list, hasPlace: true), end)
        return
          "SELECT id, changed_at FROM (\(rows)) f \(sorting(by: "f.")) LIMIT \(limit)"
      }
      // The offset keeps the planner from walking another index in the requested order.
      let rows = range(of: list, terms(for: list, hasPlace: false), "OFFSET 0")
      let place = place("f.", date: "f.changed_at").map { "WHERE \($0) " } ?? ""
      return """
        SELECT id, changed_at FROM (\(rows)) f \(place)\(sorting(by: "f.")) \
        LIMIT \(limit)
        """
    }

    /// The runs of a list that match some terms.
    private mutating func range(of list: RunList, _ terms: [String], _ end: String) -> String {
      let columns = "r.id, r.changed_at"
      func condition(_ own: [String]) -> String {
        let all = own + terms
        return (all.isEmpty ? "" : "WHERE \(all.joined(separator: " AND ")) ") + end
      }
      func lateral(_ lists: String, _ own: [String]) -> String {
        """
        SELECT n.id, n.changed_at FROM \(lists) CROSS JOIN LATERAL \
        (SELECT \(columns) FROM run r \(condition(["r.flow = l.flow"] + own))) n
        """
      }
      switch list {
      case .all: return "SELECT \(columns) FROM run r \(condition([]))"
      case .states(let lists):
        return lateral(numbered(lists), ["r.state = l.value", PostgresSchema.isListed("r.")])
      case .stopped(let lists):
        return lateral(numbered(lists), ["r.state = l.value", "r.stopped_at IS NOT NULL"])
      case .gates(let lists):
        return lateral(numbered(lists), ["r.gate = l.value", "r.gate > 0"])
      case .waits(let lists):
        let (flows, waits) = (bind(.texts(lists.map(\.flow))), bind(.texts(lists.map(\.wait))))
        return lateral(
          "unnest(\(flows)::text[], \(waits)::text[]) AS l(flow, value)", ["r.wait = l.value"])
      case .signals(let flows):
        return lateral(
          "unnest(\(bind(.texts(flows)))::text[]) AS l(flow)", [PostgresSchema.awaitsSignal("r.")])
      case .key(let flows, let key):
        return lateral(
          "unnest(\(bind(.texts(flows)))::text[]) AS l(flow)", ["r.key = \(bind(.text(key)))"])
      case .keys(let flows, let first, let last):
        let lists = "unnest(\(bind(.texts(flows)))::text[]) AS l(flow)"
        var own = ["r.key >= \(bind(.text(first)))"]
        if let last { own.append("r.key < \(bind(.text(last)))") }
        return lateral(lists, own)
      case .error(let print):
        let own = ["r.fingerprint = \(bind(.integer(print.code)))", "r.state IN (3, 4)"]
        return "SELECT \(columns) FROM run r \(condition(own))"
      case .quarantine:
        return "SELECT \(columns) FROM run r \(condition(["r.quarantine IS NOT NULL"]))"
      case .attribute(let name, let value):
        // A subquery of its own, so that the planner does not begin with the runs.
        var own = ["a.name = \(bind(.text(name)))", "a.value = \(bind(.text(value)))"]
        own += terms.filter { $0.hasPrefix("a.") }
        let others = terms.filter { !$0.hasPrefix("a.") }
        let order = end.hasPrefix("ORDER") ? "\(sorting(by: "a.")) " : ""
        let filter = others.isEmpty ? "" : "WHERE \(others.joined(separator: " AND ")) "
        return """
          SELECT \(columns) FROM (SELECT a.id FROM attribute a \
          WHERE \(own.joined(separator: " AND ")) \(order)OFFSET 0) a \
          JOIN run r ON r.id = a.id \(filter)\(end)
          """
      }
    }

    private mutating func numbered(_ lists: [RunList.Numbered]) -> String {
      let (flows, numbers) = (bind(.texts(lists.map(\.flow))), bind(.integers(lists.map(\.number))))
      return "unnest(\(flows)::text[], \(numbers)::int8[]) AS l(flow, value)"
    }

    /// The condition for the beginning of the page.
    private mutating func place(_ table: String, date: String) -> String? {
      guard let place = query.after else { return nil }
      let sign = query.order.isDescending ? "<" : ">"
      let id = bind(.identifier(place.id))
      guard query.order.isByStop else { return "\(table)id \(sign) \(id)" }
      return "(\(date), \(table)id) \(sign) (\(bind(.date(place.stoppedAt))), \(id))"
    }
  }

  extension RunSearch {
    /// The terms of the filters that a list does not answer, in a form that no index matches.
    ///
    /// Without knowing the values, the planner might otherwise take an index with a million runs.
    private mutating func terms(for list: RunList, hasPlace: Bool) -> [String] {
      var terms: [String] = []
      var isStopped = false
      if case .stopped = list { isStopped = true }
      var table = "r."
      if case .attribute = list { table = "a." }
      if hasPlace {
        if let place = place(table, date: isStopped ? "r.stopped_at" : "r.changed_at") {
          terms.append(place)
        }
        if let bounds = query.identifiers, !query.order.isByStop {
          terms.append("\(table)id >= \(bind(.identifier(bounds.lowerBound)))")
          terms.append("\(table)id <= \(bind(.identifier(bounds.upperBound)))")
        }
      }
      if let flow = query.flow, !list.hasFlow {
        terms.append("(r.flow = \(bind(.text(flow)))) IS TRUE")
      }
      let states = query.possibleStates
      if !list.hasState, states.count < RunState.allCases.count {
        terms.append("(r.state = ANY (\(bind(.integers(states.map(\.code).sorted()))))) IS TRUE")
      }
      if let key = query.key {
        if case .key = list {} else { terms.append("(r.key = \(bind(.text(key)))) IS TRUE") }
      }
      if let keys = query.keys {
        if case .keys = list {
        } else {
          terms.append("(r.key >= \(bind(.text(keys.first)))) IS TRUE")
          if let end = keys.end { terms.append("(r.key < \(bind(.text(end)))) IS TRUE") }
        }
      }
      if let since = query.since { terms.append("r.started_at >= \(bind(.date(since)))") }
      if let until = query.until { terms.append("r.started_at < \(bind(.date(until)))") }
      terms += termsOfStopping(isStopped ? "r.stopped_at" : "r.changed_at")
      if let error = query.error {
        if case .error = list {
        } else {
          terms.append("(r.fingerprint = \(bind(.integer(error.code)))) IS TRUE")
        }
      }
      for (name, value) in query.attributes.sorted(by: { $0.key < $1.key })
      where list != .attribute(name: name, value: value.stored) {
        terms.append(
          """
          EXISTS (SELECT 1 FROM attribute o WHERE o.name = \(bind(.text(name))) \
          AND o.value = \(bind(.text(value.stored))) AND o.id = r.id)
          """)
      }
      if let wait = query.waiting, let term = term(of: wait, for: list) { terms.append(term) }
      return terms
    }

    private mutating func termsOfStopping(_ column: String) -> [String] {
      var terms: [String] = []
      if let since = query.stoppedSince { terms.append("\(column) >= \(bind(.date(since)))") }
      if let until = query.stoppedUntil { terms.append("\(column) < \(bind(.date(until)))") }
      return terms
    }

    private mutating func term(of wait: RunWait, for list: RunList) -> String? {
      switch (wait, list) {
      case (_, .waits), (_, .gates), (.quarantine, .quarantine), (.signal(nil), .signals): nil
      case (.signal(nil), _):
        """
        (r.wait >= \(bind(.text(RunWait.anySignal.first))) \
        AND r.wait < \(bind(.text(RunWait.anySignal.end)))) IS TRUE
        """
      case (.pause, _):
        """
        (r.gate & \(RunGate.paused) > 0 \
        OR EXISTS (SELECT 1 FROM pause p WHERE p.kind = 0 AND p.flow = r.flow))
        """
      case (.keyLimit, _): "r.gate & \(RunGate.limit) > 0"
      case (.quarantine, _): "(r.quarantine IS NOT NULL) IS TRUE"
      case (.signal(.some(let name)), _):
        """
        (r.wait = \(bind(.text(wait.column))) \
        OR (r.wait >= \(bind(.text(RunWait.severalSignals.first))) \
        AND r.wait < \(bind(.text(RunWait.severalSignals.end))) \
        AND \(bind(.text(name))) = ANY (\(SignalSQL.names(in: "r.awaited"))))) IS TRUE
        """
      case (.time, _), (.retry, _), (.children, _):
        "(r.wait = \(bind(.text(wait.column)))) IS TRUE"
      }
    }
  }
#endif
