#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneServing
  import Foundation

  /// The filters of the table of runs, as they stand in its address.
  struct RunFilter: Hashable {
    var flow: String?
    var states: Set<RunState> = []
    var key: String?
    /// The name of an attribute and its value, as in `customer=ada`.
    var attribute: AttributeFilter?
    var since: String?
    /// A part of the error, in whatever case.
    var error: String?
    /// What the runs wait for.
    var wait: WaitKind?
    var before: RunID?

    init(
      flow: String? = nil, states: Set<RunState> = [], key: String? = nil,
      attribute: AttributeFilter? = nil
    ) {
      self.flow = flow
      self.states = states
      self.key = key
      self.attribute = attribute
    }

    /// Reads the filters of an address.
    ///
    /// - Throws: `InspectorRefusal` for a state, a reason, a day or an identifier that is none.
    init(_ values: FormValues) throws(InspectorRefusal) {
      flow = values["flow"]
      key = values["key"]
      for text in values.all("state") where !text.isEmpty {
        guard let state = RunState(rawValue: text) else {
          throw InspectorRefusal(400, "“\(text)” is no state of a run; choose one of the filters.")
        }
        states.insert(state)
      }
      attribute = try values["attribute"].map(AttributeFilter.init)
      error = values["error"]
      if let text = values["wait"] {
        guard let kind = WaitKind(rawValue: text) else {
          throw InspectorRefusal(
            400, "“\(text)” is no reason of waiting; choose one of the filters.")
        }
        wait = kind
      }
      since = values["since"]
      if let since, Self.day(since) == nil {
        throw InspectorRefusal(400, "“\(since)” is no day; write it as 2026-11-21.")
      }
      if let text = values["before"] {
        guard let id = RunID(text) else { throw .noIdentifier(text) }
        before = id
      }
    }

    /// Whether runs are looked through one by one, as no index of a journal answers.
    var looksThrough: Bool { error != nil || wait != nil }

    /// Whether a run of the query is one of the filter; O(length of its error).
    func takes(_ run: RunRecord, _ pauses: RunPauses, at date: Date) -> Bool {
      guard states.isEmpty || states.contains(run.state) else { return false }
      if let error {
        guard run.error?.range(of: error, options: .caseInsensitive) != nil else { return false }
      }
      guard let wait else { return true }
      return WaitKind(pauses.reason(for: RunStanding(record: run), at: date)) == wait
    }

    /// The query, of a page of 50 runs.
    var query: RunQuery {
      // Only a ready run waits.
      var query = RunQuery(
        flow: flow, states: wait == nil ? states : [.ready], key: key,
        since: since.flatMap(Self.day), before: before,
        limit: 50)
      if let attribute { query.attributes = [attribute.name: attribute.value] }
      return query
    }

    /// The names and values of its address.
    var pairs: [(String, String)] {
      var pairs: [(String, String)] = []
      if let flow { pairs.append(("flow", flow)) }
      for state in RunState.allCases where states.contains(state) {
        pairs.append(("state", state.rawValue))
      }
      if let key { pairs.append(("key", key)) }
      if let attribute { pairs.append(("attribute", attribute.text)) }
      if let since { pairs.append(("since", since)) }
      if let error { pairs.append(("error", error)) }
      if let wait { pairs.append(("wait", wait.rawValue)) }
      if let before { pairs.append(("before", "\(before)")) }
      return pairs
    }

    private static func day(_ text: String) -> Date? {
      try? Date.ISO8601FormatStyle().year().month().day().parse(text)
    }
  }
#endif
