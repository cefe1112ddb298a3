#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  /// The statement that searches a list for the runs of a query.
  ///
  /// SQLite has no statistics here; a unary plus keeps it from choosing another index than the
  /// list's.
  struct RunListSearch {
    private var terms: [String] = []
    private var arguments = StatementArguments()
    private let list: RunList
    private let order: RunOrder

    /// - Parameter last: the last place that is of interest, if it is known.
    init(_ list: RunList, _ query: RunQuery, upTo last: RunPlace? = nil) {
      (self.list, order) = (list, query.order)
      var query = query
      if order.isByStop, order.isDescending, let date = last?.stoppedAt {
        query.stoppedSince = max(query.stoppedSince ?? date, date)
      }
      addList()
      addPlace(query, upTo: last)
      addFilters(query)
    }

    /// Matches every run of a list.
    init(all list: RunList, of query: RunQuery) {
      (self.list, order) = (list, query.order)
      addList()
      if case .stopped = list { addStopped(query, isInIndex: true) }
    }

    /// The statement for some columns, in the order of the query; its last argument is the number of
    /// rows.
    func sorted(_ columns: String) -> String {
      let direction = order.isDescending ? " DESC" : ""
      let sorting =
        order.isByStop ? "changed_at\(direction), id\(direction)" : id + direction
      return "\(select(columns)) ORDER BY \(sorting) LIMIT ?"
    }

    /// The statement that counts the runs, up to a limit, which is its last argument.
    var counting: String { "SELECT COUNT(*) FROM (\(select("1")) LIMIT ?)" }

    /// The arguments with the limit; a connection keeps one statement for all limits.
    func arguments(limit: Int) -> StatementArguments { arguments + [limit] }

    private func select(_ columns: String) -> String {
      let table =
        if case .attribute = list {
          // SQLite keeps the order of a cross join.
          "fieldstone_attribute CROSS JOIN fieldstone_run ON id = run_id"
        } else {
          "fieldstone_run"
        }
      let condition = terms.isEmpty ? "" : " WHERE \(terms.joined(separator: " AND "))"
      return "SELECT \(columns) FROM \(table)\(condition)"
    }

    /// The expression of the identifier in the index.
    private var id: String {
      if case .attribute = list { return "run_id" }
      return list.isSorted(by: order) ? "id" : "+id"
    }

    private mutating func add(_ term: String, _ values: any DatabaseValueConvertible...) {
      terms.append(term)
      for value in values { arguments += [value] }
    }

    private mutating func addList() {
      switch list {
      case .all: break
      case .state(let flow, let code):
        add("flow = ? AND state = ? AND \(JournalSchema.isListed)", flow, code)
      case .running(let flow): add("flow = ? AND state = 1", flow)
      case .stopped(let flow, let code):
        add("flow = ? AND state = ? AND +state >= 2", flow, code)
      case .key(let flow, let key): add("flow = ? AND key = ?", flow, key)
      case .keys(let flow, let first, let end):
        add("flow = ? AND key >= ?", flow, first)
        if let end { add("key < ?", end) }
      case .error(let print): add("fingerprint = ? AND state IN (3, 4)", print.code)
      case .attribute(let name, let value): add("name = ? AND value = ?", name, value)
      case .wait(let flow, let wait): add("flow = ? AND wait = ?", flow, wait)
      case .signals(let flow):
        add("flow = ? AND \(JournalSchema.awaitsSignal)", flow)
      case .gate(let flow, let gate): add("flow = ? AND gate = ? AND gate <> 0", flow, gate)
      case .quarantine: add("quarantine IS NOT NULL")
      }
    }

    /// Adds one bound per side; given two, SQLite may use the weaker one for its seek.
    private mutating func addPlace(_ query: RunQuery, upTo last: RunPlace?) {
      let bounds = query.identifiers
      var (low, high) = (bounds?.lowerBound, bounds?.upperBound)
      if let last, !order.isByStop {
        if order.isDescending {
          low = max(low ?? last.id, last.id)
        } else {
          high = min(high ?? last.id, last.id)
        }
      }
      if let place = query.after, !order.isByStop {
        if order.isDescending {
          if high.map({ place.id <= $0 }) ?? true {
            add("\(id) < ?", place.id.description)
            high = nil
          }
        } else if low.map({ place.id >= $0 }) ?? true {
          add("\(id) > ?", place.id.description)
          low = nil
        }
      }
      if let low { add("\(id) >= ?", low.description) }
      if let high { add("\(id) <= ?", high.description) }
    }

    private mutating func addFilters(_ query: RunQuery) {
      if let flow = query.flow, !list.hasFlow { add("+flow = ?", flow) }
      let states = query.possibleStates
      if !list.hasState, states.count < RunState.allCases.count {
        let codes = states.map { "\($0.code)" }.sorted().joined(separator: ", ")
        add("+state IN (\(codes))")
      }
      if let key = query.key {
        if case .key = list {} else { add("+key = ?", key) }
      }
      if let keys = query.keys {
        if case .keys = list {
        } else {
          add("+key >= ?", keys.first)
          if let end = keys.end { add("+key < ?", end) }
        }
      }
      if let since = query.since { add("+started_at >= ?", since.stored) }
      if let until = query.until { add("+started_at < ?", until.stored) }
      if case .stopped = list {
        addStopped(query, isInIndex: true)
      } else {
        addStopped(query, isInIndex: false)
      }
      if let error = query.error {
        if case .error = list {} else { add("+fingerprint = ?", error.code) }
      }
      for (name, value) in query.attributes.sorted(by: { $0.key < $1.key })
      where list != .attribute(name: name, value: value.stored) {
        let id =
          if case .attribute = list { "fieldstone_attribute.run_id" } else { "fieldstone_run.id" }
        add(
          """
          EXISTS (SELECT 1 FROM fieldstone_attribute AS other WHERE other.name = ? \
          AND other.value = ? AND other.run_id = \(id))
          """, name, value.stored)
      }
      if let wait = query.waiting { addWait(wait) }
    }

    /// Adds the bounds of the stop time, and the place in that order.
    private mutating func addStopped(_ query: RunQuery, isInIndex: Bool) {
      let plus = isInIndex ? "" : "+"
      var (since, until) = (plus, plus)
      if let place = query.after, let date = place.stoppedAt, order.isByStop {
        var own = plus
        if order.isDescending {
          if query.stoppedUntil.map({ date <= $0 }) ?? true { until = "+" } else { own = "+" }
          add("(\(own)changed_at, id) < (?, ?)", date.stored, place.id.description)
        } else {
          if query.stoppedSince.map({ date >= $0 }) ?? true { since = "+" } else { own = "+" }
          add("(\(own)changed_at, id) > (?, ?)", date.stored, place.id.description)
        }
      }
      if let date = query.stoppedSince { add("\(since)changed_at >= ?", date.stored) }
      if let date = query.stoppedUntil { add("\(until)changed_at < ?", date.stored) }
    }

    private mutating func addWait(_ wait: RunWait) {
      switch (wait, list) {
      case (_, .wait), (_, .gate), (.quarantine, .quarantine), (.signal(nil), .signals): break
      case (.signal(nil), _):
        add("+wait >= ? AND +wait < ?", RunWait.anySignal.first, RunWait.anySignal.end)
      case (.pause, _):
        add(
          """
          (gate & \(RunGate.paused) > 0 \
          OR flow IN (SELECT flow FROM fieldstone_pause WHERE kind = 0))
          """)
      case (.keyLimit, _): add("gate & \(RunGate.limit) > 0")
      case (.quarantine, _): add("+quarantine IS NOT NULL")
      case (.signal(.some(let name)), _):
        let separator = AwaitedSignals.separator
        add(
          "(+wait = ? OR instr(wait || char(31), ?) > 0)", wait.column,
          separator + name + separator)
      case (.time, _), (.retry, _), (.children, _):
        add("+wait = ?", wait.column)
      }
    }
  }
#endif
