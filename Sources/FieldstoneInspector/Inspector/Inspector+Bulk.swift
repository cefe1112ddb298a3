#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneServing
  import Foundation

  extension Inspector {
    /// The page that asks to confirm an action on all runs of a filter.
    ///
    /// - Parameters:
    ///   - name: the action.
    ///   - query: the filter and the action's stage.
    ///   - change: names the change; new unless given.
    ///   - until: the typed end of a pause.
    ///   - problem: why the form is shown again.
    func bulkPage(
      _ name: String, _ query: FormValues, change: RunID? = nil, until: String = "",
      problem: InspectorRefusal? = nil
    ) async throws -> InspectorPage {
      let action = try ManyRunsAction(name, query)
      guard !guardian.options.isReadOnly else {
        throw InspectorRefusal(403, "This inspector only reads; start one without --read-only.")
      }
      let filter = try RunFilter(query)
      return BulkPage(
        parts: parts, action: action, filter: filter,
        count: try await journal.count(filter, for: action, try await waitReasons(), at: time.now),
        change: change ?? RunID(at: time.now), isChecked: isChecked(filter), until: until,
        problem: problem
      ).page
    }

    /// Performs an action on all runs of a filter, once the user has typed their number.
    func postBulk(
      _ name: String, _ post: InspectorPost
    ) async throws -> InspectorResponse {
      let (values, query) = (post.values, post.target.query)
      let action = try ManyRunsAction(name, query)
      let filter = try RunFilter(query)
      guard let counted = values["counted"].flatMap(Int.init), (1...BulkCount.most) ~= counted,
        let youngest = values["youngest"].flatMap({ RunID($0) }),
        let id = values["change"].flatMap({ RunID($0) })
      else { throw InspectorRefusal(400, "The form is incomplete; open its page again.") }
      let typed = (values["count"] ?? "").filter { $0 != "," && $0 != " " }
      let until = action.kind == .pause ? values["until"] ?? "" : ""
      let end: PauseEnd
      do throws(InspectorRefusal) {
        end = try PauseEnd(until, after: time.now)
        guard Int(typed) == counted else {
          throw InspectorRefusal(422, "Type the number of runs to confirm: \(counted).")
        }
      } catch {
        return html(
          try await bulkPage(name, query, change: id, until: until, problem: error), target: nil)
      }
      let journal = try journal
      let found = filter.conditions.map { "\($0)=\($1)" }.joined(separator: " ")
      let subject = "\(counted) runs" + (found.isEmpty ? "" : " of \(found)")
      let result = try await changing("\(name) all", subject, by: post) {
        try await journal.change(
          filter, action.kind, action.change(of: filter, id: id, until: end.date), atMost: counted,
          upTo: youngest, try await waitReasons(), by: post.actor,
          checkedBy: check(of: filter.flow), at: JournalTime(time, boot: "inspector"))
      }
      await census?.forget()
      return .redirect(to: address.runs(filter, done: result))
    }

    /// Whether the stages of forks are decoded before they are written.
    private func isChecked(_ filter: RunFilter) -> Bool {
      if case .flows = check(of: filter.flow) { true } else { false }
    }
  }
#endif
