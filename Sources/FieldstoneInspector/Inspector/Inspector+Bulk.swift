#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneServing
  import Foundation

  extension Inspector {
    /// The page that asks whether an action is meant for all runs of a filter.
    func bulkPage(
      _ name: String, _ query: FormValues, problem: InspectorRefusal? = nil
    ) async throws -> InspectorPage {
      let action = try bulkAction(name)
      guard !guardian.options.isReadOnly else {
        throw InspectorRefusal(403, "This inspector only reads; start one without --read-only.")
      }
      let filter = try RunFilter(query)
      return BulkPage(
        parts: parts, action: action, filter: filter,
        count: try await journal.count(filter, for: action, try await pauses(), at: time.now),
        problem: problem
      ).page
    }

    /// Does an action to all runs of a filter, once the person has typed how many they are.
    func postBulk(
      _ name: String, _ post: InspectorPost
    ) async throws -> InspectorResponse {
      let (values, query) = (post.values, post.target.query)
      let action = try bulkAction(name)
      let filter = try RunFilter(query)
      guard let counted = values["counted"].flatMap(Int.init), (1...BulkCount.limit) ~= counted,
        let youngest = values["youngest"].flatMap({ RunID($0) })
      else { throw InspectorRefusal(400, "The form is incomplete; open its page again.") }
      let typed = (values["count"] ?? "").filter { $0 != "," && $0 != " " }
      guard Int(typed) == counted else {
        let problem = InspectorRefusal(422, "Type the number of runs to confirm: \(counted).")
        return html(try await bulkPage(name, query, problem: problem), target: nil)
      }
      let journal = try journal
      let found = filter.pairs.map { "\($0)=\($1)" }.joined(separator: " ")
      let subject = "\(counted) runs" + (found.isEmpty ? "" : " of \(found)")
      let result = try await changing("\(name) all", subject, by: post) {
        try await journal.change(
          filter, action, atMost: counted, upTo: youngest, try await pauses(),
          at: JournalTime(time, boot: "inspector"))
      }
      await census?.forget()
      return .redirect(to: address.runs(filter, done: result))
    }

    private func bulkAction(_ name: String) throws(InspectorRefusal) -> RunAction {
      guard let action = RunAction(rawValue: name), RunAction.ofMany.contains(action) else {
        throw .noPage
      }
      return action
    }
  }
#endif
