#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneServing
  import Foundation

  /// The filters of the table of runs, as encoded in its address.
  struct RunFilter: Hashable {
    var flow: String?
    var states: Set<RunState> = []
    var key: String?
    /// The prefix of the key.
    var prefix: String?
    /// The name of an attribute and its value, as in `customer=ada`.
    var attribute: AttributeFilter?
    /// The time since which the runs were started, in UTC: a day, or a day and a time.
    var since: String?
    /// The time before which the runs were started.
    var until: String?
    /// The time since which the runs have stopped.
    var stoppedSince: String?
    /// The time before which the runs stopped.
    var stoppedUntil: String?
    /// A part of the error, case-insensitive.
    var error: String?
    /// The fingerprint of the error.
    var fingerprint: ErrorFingerprint?
    /// The reason why the runs wait.
    var wait: WaitKind?
    var order = RunOrder.newestFirst
    /// The end of the previous page.
    var after: RunPlace?
    /// The chosen columns of the table, which choose no runs; nil for the usual ones.
    var columns: Set<RunColumn>?

    init(
      flow: String? = nil, states: Set<RunState> = [], key: String? = nil,
      attribute: AttributeFilter? = nil, fingerprint: ErrorFingerprint? = nil
    ) {
      self.flow = flow
      self.states = states
      self.key = key
      self.attribute = attribute
      self.fingerprint = fingerprint
    }

    /// Parses the filters of an address.
    ///
    /// - Throws: `InspectorRefusal` for an invalid state, reason, fingerprint, order, time,
    ///   identifier or column; it leads to the runs without filters.
    init(_ values: FormValues) throws(InspectorRefusal) {
      do throws(InspectorRefusal) {
        try self.init(reading: values)
      } catch {
        throw error.leading(to: .runs)
      }
    }

    private init(reading values: FormValues) throws(InspectorRefusal) {
      flow = values["flow"]
      key = values["key"]
      prefix = values["prefix"]
      for text in values.all("state") where !text.isEmpty {
        guard let state = RunState(rawValue: text) else {
          throw InspectorRefusal(400, "“\(text)” is no state of a run; choose one of the filters.")
        }
        states.insert(state)
      }
      attribute = try values["attribute"].map(AttributeFilter.init)
      error = values["error"]
      if let text = values["fingerprint"] {
        guard let print = ErrorFingerprint(text) else {
          throw InspectorRefusal(
            400, "“\(text.prefix(64))” is no fingerprint of an error; choose one of the overview.")
        }
        fingerprint = print
      }
      if let text = values["wait"] {
        guard let kind = WaitKind(rawValue: text) else {
          throw InspectorRefusal(
            400, "“\(text)” is no reason of waiting; choose one of the filters.")
        }
        wait = kind
      }
      since = values["since"]
      until = values["until"]
      stoppedSince = values["stopped-since"]
      stoppedUntil = values["stopped-until"]
      let times = [since, until, stoppedSince, stoppedUntil]
      for time in times.compactMap(\.self) where FormTime.date(of: time) == nil {
        throw InspectorRefusal(
          400,
          "“\(time.prefix(64))” is no time; write it as 2026-11-21 or 2026-11-21T15:30, in UTC.")
      }
      if let text = values["order"] {
        guard let order = RunOrder(rawValue: text) else {
          throw InspectorRefusal(400, "“\(text)” is no order of runs; choose one of the filters.")
        }
        self.order = order
      }
      if let text = values["before"] {
        guard let id = RunID(text) else { throw .noIdentifier(text) }
        after = RunPlace(id)
      }
      if let text = values["after"] {
        guard let place = RunPlace(text) else { throw .noIdentifier(text) }
        after = place
      }
      var columns: Set<RunColumn> = []
      for text in values.all("column") where !text.isEmpty {
        guard let column = RunColumn(rawValue: text) else {
          throw InspectorRefusal(
            400, "“\(text.prefix(64))” is no column of the table; choose one of the list.")
        }
        columns.insert(column)
      }
      if !columns.isEmpty, columns != RunColumn.usual { self.columns = columns }
    }

    /// Whether the filter requires a scan, because no index of a journal covers it.
    var looksThrough: Bool { error != nil || wait?.isDerived == true }

    /// Whether a run of the query passes the filter; O(length of its error).
    func takes(_ run: RunRecord, _ waits: WaitReasons, at date: Date) -> Bool {
      guard states.isEmpty || states.contains(run.state) else { return false }
      if let error {
        guard run.error?.range(of: error, options: .caseInsensitive) != nil else { return false }
      }
      guard let wait, wait.isDerived else { return true }
      return WaitKind(waits.reason(for: RunStanding(record: run), at: date)) == wait
    }

    /// The query for a page of 50 runs.
    var query: RunQuery {
      // Only a ready run waits.
      var query = RunQuery(
        flow: flow, states: states, key: key, since: since.flatMap(FormTime.date), limit: 50)
      if wait?.isDerived == true, query.states.isEmpty { query.states = [.ready] }
      query.keyPrefix = prefix
      query.until = until.flatMap(FormTime.date)
      query.stoppedSince = stoppedSince.flatMap(FormTime.date)
      query.stoppedUntil = stoppedUntil.flatMap(FormTime.date)
      query.waiting = wait?.asked
      query.error = fingerprint
      query.order = order
      query.after = after
      if let attribute { query.attributes = [attribute.name: attribute.value] }
      return query
    }

    /// The names and values of its address.
    var pairs: [(String, String)] {
      let columns = columns ?? []
      return conditions
        + RunColumn.allCases.filter(columns.contains).map { ("column", $0.rawValue) }
    }

    /// The same without the columns: what chooses the runs, their order and their page.
    var conditions: [(String, String)] {
      var pairs: [(String, String)] = []
      if let flow { pairs.append(("flow", flow)) }
      for state in RunState.allCases where states.contains(state) {
        pairs.append(("state", state.rawValue))
      }
      if let key { pairs.append(("key", key)) }
      if let prefix { pairs.append(("prefix", prefix)) }
      if let attribute { pairs.append(("attribute", attribute.text)) }
      if let since { pairs.append(("since", since)) }
      if let until { pairs.append(("until", until)) }
      if let stoppedSince { pairs.append(("stopped-since", stoppedSince)) }
      if let stoppedUntil { pairs.append(("stopped-until", stoppedUntil)) }
      if let error { pairs.append(("error", error)) }
      if let fingerprint { pairs.append(("fingerprint", "\(fingerprint)")) }
      if let wait { pairs.append(("wait", wait.rawValue)) }
      if order != .newestFirst { pairs.append(("order", order.rawValue)) }
      if let after { pairs.append((after.stoppedAt == nil ? "before" : "after", "\(after)")) }
      return pairs
    }
  }
#endif
