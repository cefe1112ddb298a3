#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneServing

  /// A posted form of ours, and the person who has sent it.
  struct InspectorPost {
    var target: RequestTarget
    var values: FormValues
    var person: String?
  }

  extension Inspector {
    /// Makes a change, and leaves a row of it, also when it is refused.
    func changing<Value>(
      _ action: String, _ subject: String, run: RunID? = nil, by post: InspectorPost,
      _ body: () async throws -> Value
    ) async throws(InspectorRefusal) -> Value {
      var change = InspectorChange(
        time: time.now, person: post.person, action: action, subject: subject, run: run)
      do {
        let result = try await body()
        changes.add(change)
        return result
      } catch {
        let refusal = InspectorRefusal(error)
        change.refusal = refusal.message
        changes.add(change)
        throw refusal
      }
    }

    /// The page of all changes.
    func changesPage(_ query: FormValues) throws(InspectorRefusal) -> InspectorPage {
      var before: Int?
      if let text = query["before"] {
        guard let number = Int(text) else {
          throw InspectorRefusal(400, "“\(text.prefix(64))” is no number of a change.")
        }
        before = number
      }
      let page = changes.page(before: before, limit: ChangesPage.size)
      return ChangesPage(
        parts: parts, entries: page.entries, hasMore: page.hasMore, dropped: page.dropped,
        isFirst: before == nil
      ).page
    }
  }
#endif
