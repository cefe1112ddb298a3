#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import FieldstoneServing
  import Foundation

  extension Inspector {
    /// The page that asks to confirm an action on all runs of a filter.
    ///
    /// - Parameters:
    ///   - name: the action.
    ///   - query: the filter, and the action's stage or the name of its signal.
    ///   - change: names the change; new unless given.
    ///   - typed: the form that is shown again.
    ///   - problem: why it is.
    func bulkPage(
      _ name: String, _ query: FormValues, change: RunID? = nil, typed: BulkForm? = nil,
      problem: InspectorRefusal? = nil
    ) async throws -> InspectorPage {
      var action = try ManyRunsAction(name, query)
      guard !guardian.options.isReadOnly else {
        throw InspectorRefusal(403, "This inspector only reads; start one without --read-only.")
      }
      let filter = try RunFilter(query)
      let count = try await journal.count(
        filter, for: action, try await waitReasons(), at: time.now)
      if action.kind == .signal, typed == nil {
        if action.signal.isEmpty { action.signal = try await likelySignal(of: count.youngest) }
        action.payload = signals[action.signal]?.example ?? action.payload
      }
      return BulkPage(
        parts: parts, action: action, filter: filter, count: count,
        change: change ?? RunID(at: time.now), isChecked: isChecked(filter),
        form: typed ?? BulkForm(action), signals: signals.keys.sorted(), problem: problem
      ).page
    }

    /// The signal that the youngest run awaits, or the only one that is known.
    private func likelySignal(of youngest: RunID?) async throws -> String {
      let run = if let youngest { try await journal.run(youngest) } else { nil as RunRecord? }
      return run?.awaitedSignals.first ?? (signals.count == 1 ? signals.keys.first : nil) ?? ""
    }

    /// Performs an action on all runs of a filter, once the user has typed their number.
    func postBulk(
      _ name: String, _ post: InspectorPost
    ) async throws -> InspectorResponse {
      let (values, query) = (post.values, post.target.query)
      var action = try ManyRunsAction(name, query)
      let filter = try RunFilter(query)
      guard let counted = values["counted"].flatMap(Int.init), (1...BulkCount.most) ~= counted,
        let youngest = values["youngest"].flatMap({ RunID($0) }),
        let id = values["change"].flatMap({ RunID($0) })
      else { throw InspectorRefusal(400, "The form is incomplete; open its page again.") }
      let typed = (values["count"] ?? "").filter { $0 != "," && $0 != " " }
      let form = BulkForm(action.kind, values)
      (action.signal, action.payload) = (form.name, form.json)
      let end: PauseEnd
      do throws(InspectorRefusal) {
        end = try PauseEnd(form.until, after: time.now)
        if action.kind == .signal, let problem = try problem(of: form) { throw problem }
        guard Int(typed) == counted else {
          throw InspectorRefusal(422, "Type the number of runs to confirm: \(counted).")
        }
      } catch {
        let page = try await bulkPage(name, query, change: id, typed: form, problem: error)
        return html(page, target: nil)
      }
      let journal = try journal
      let found = filter.conditions.map { "\($0)=\($1)" }.joined(separator: " ")
      let subject =
        "\(counted) runs" + (found.isEmpty ? "" : " of \(found)")
        + (action.kind == .signal ? ", the signal \(form.name)" : "")
      let result = try await changing("\(name) all", subject, by: post) {
        try await journal.change(
          filter, action.kind, action.change(of: filter, id: id, until: end.date), atMost: counted,
          upTo: youngest, try await waitReasons(), by: post.actor,
          checkedBy: check(of: filter.flow), at: JournalTime(time, boot: "inspector"))
      }
      await census?.forget()
      return .redirect(to: address.runs(filter, done: result))
    }

    private func problem(of form: BulkForm) throws(InspectorRefusal) -> InspectorRefusal? {
      if form.name.isEmpty {
        return InspectorRefusal(422, "A signal has a name; write the one that the runs receive by.")
      }
      return try problem(ofJSON: form.json) ?? problem(ofSignal: form.name, form.json)
    }

    /// Whether the stages of forks are decoded before they are written.
    private func isChecked(_ filter: RunFilter) -> Bool {
      if case .flows = check(of: filter.flow) { true } else { false }
    }
  }
#endif
