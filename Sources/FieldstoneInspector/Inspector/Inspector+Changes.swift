#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneServing

  /// A posted form of the inspector, and the user who sent it.
  struct InspectorPost {
    var target: RequestTarget
    var values: FormValues
    var person: String?

    /// The name for the journal's audit: short, and without characters that a database can't store.
    var actor: String {
      (person ?? "inspector").replacing("\0", with: "␀").shortened(to: 120)
    }
  }

  extension Inspector {
    /// Makes a change, and records it, even if it is refused.
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
    func changesPage(_ query: FormValues) async throws -> InspectorPage {
      func number(_ name: String) throws(InspectorRefusal) -> Int? {
        guard let text = query[name] else { return nil }
        guard let number = Int(text) else {
          throw InspectorRefusal(400, "“\(text.prefix(64))” is no number of a change.")
        }
        return number
      }
      let (before, row) = (try number("before"), try number("row"))
      let page = changes.page(before: before, limit: ChangesPage.size)
      var shown = ChangesPage(
        parts: parts, entries: page.entries, hasMore: page.hasMore, dropped: page.dropped,
        isFirst: before == nil)
      if census != nil {
        shown.audit = AuditTable(
          parts: parts, isFirst: row == nil,
          page: try await journal.audit(AuditQuery(before: row, limit: ChangesPage.size)))
      }
      return shown.page
    }
  }
#endif
