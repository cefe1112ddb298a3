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
    ///   - typed: the form that is shown again, or the patch to review.
    ///   - problem: why it is shown again.
    ///   - reviewed: whether a patch was reviewed already.
    func bulkPage(
      _ name: String, _ query: FormValues, change: RunID? = nil, typed: BulkForm? = nil,
      problem: InspectorRefusal? = nil, reviewed: Bool = false
    ) async throws -> InspectorPage {
      var action = try ManyRunsAction(name, query)
      guard !guardian.options.isReadOnly else {
        throw InspectorRefusal(403, "This inspector only reads; start one without --read-only.")
      }
      let filter = try RunFilter(query)
      var trial: BulkEditTrial?
      if action.kind == .edit, let typed, problem == nil || reviewed {
        (action.payload, action.version) = (typed.json, Int(typed.version))
        trial = try BulkEditTrial(
          action.change(of: filter).action, checkedBy: check(of: filter.flow))
      }
      // Before there is a patch, all are counted that allow an edit, as they allow a retry.
      let asked = action.kind == .edit && trial == nil ? ManyRunsAction(.retry) : action
      let parts = try await waitingParts
      let counted = try await journal.count(
        filter, for: asked, parts.waits, at: parts.now, trying: &trial)
      if typed == nil { try await begin(&action, for: counted.count.youngest) }
      var page = BulkPage(
        parts: parts, action: action, filter: filter, counted: counted,
        change: change ?? RunID(at: time.now), isChecked: isChecked(filter),
        form: typed ?? BulkForm(action), signals: signals.keys.sorted(), problem: problem)
      page.trial = trial
      return page.page
    }

    /// Gives a form what it begins with, by the youngest run.
    private func begin(_ action: inout ManyRunsAction, for youngest: RunID?) async throws {
      switch action.kind {
      case .signal:
        if action.signal.isEmpty { action.signal = try await likelySignal(of: youngest) }
        action.payload = signals[action.signal]?.example ?? action.payload
      case .edit:
        // The stage's name, so that the patch is for runs at this stage.
        let run = if let youngest { try await journal.run(youngest) } else { nil as RunRecord? }
        let name = run.flatMap { StageJSON.caseName(of: $0.payload) }
        action.payload =
          try name.map { try StageJSON.data(of: [$0: [String: Int]()]) } ?? Data("{}".utf8)
      default: break
      }
    }

    /// The signal that the youngest run awaits, or the only one that is known.
    private func likelySignal(of youngest: RunID?) async throws -> String {
      let run = if let youngest { try await journal.run(youngest) } else { nil as RunRecord? }
      return run?.awaitedSignals.first ?? (signals.count == 1 ? signals.keys.first : nil) ?? ""
    }

    /// Performs an action on all runs of a filter, once the user has typed their number.
    func postBulk(
      _ name: String, _ post: InspectorPost
    ) async throws -> SiteResponse {
      let (values, query) = (post.values, post.target.query)
      var action = try ManyRunsAction(name, query)
      let filter = try RunFilter(query)
      let form = BulkForm(action.kind, values)
      if action.kind == .edit {
        let problem = try problem(of: form, action.kind)
        if problem != nil || values["counted"] == nil {
          return html(
            try await bulkPage(name, query, typed: form, problem: problem), target: nil)
        }
      }
      guard let counted = values["counted"].flatMap(Int.init), (1...BulkCount.most) ~= counted,
        let oldest = values["oldest"].flatMap({ RunID($0) }),
        let youngest = values["youngest"].flatMap({ RunID($0) }),
        let id = values["change"].flatMap({ RunID($0) })
      else { throw InspectorRefusal(400, "The form is incomplete; open its page again.") }
      let typed = (values["count"] ?? "").filter { $0 != "," && $0 != " " }
      (action.signal, action.payload, action.version) = (form.name, form.json, Int(form.version))
      let end: PauseEnd
      do throws(InspectorRefusal) {
        end = try PauseEnd(form.until, after: time.now)
        if let problem = try problem(of: form, action.kind) { throw problem }
        guard Int(typed) == counted else {
          throw InspectorRefusal(422, "Type the number of runs to confirm: \(counted).")
        }
      } catch {
        let page = try await bulkPage(
          name, query, change: id, typed: form, problem: error, reviewed: true)
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
          from: oldest, upTo: youngest, try await waitingParts.waits, by: post.actor,
          checkedBy: check(of: filter.flow), at: { [time] in JournalTime(time, boot: "inspector") })
      }
      await census?.forget()
      return .redirect(to: address.runs(filter, done: result))
    }

    private func problem(
      of form: BulkForm, _ kind: ManyRunsAction.Kind
    ) throws(InspectorRefusal) -> InspectorRefusal? {
      switch kind {
      case .signal where form.name.isEmpty:
        return InspectorRefusal(
          422, "A signal has a name; write the one that the runs receive by.")
      case .signal: return try problem(ofJSON: form.json) ?? problem(ofSignal: form.name, form.json)
      case .edit:
        if let problem = try problem(ofJSON: form.json) { return problem }
        if RedactedJSON.restored(form.json, from: [], book.reader.redaction) == nil {
          return InspectorRefusal(
            422, "Dots stand for a redacted value; leave the member out, or write a value there.")
        }
        return problem(ofVersion: form.version)
      default: return nil
      }
    }

    /// Whether the stages of forks and edits are decoded before they are written.
    private func isChecked(_ filter: RunFilter) -> Bool {
      if case .flows = check(of: filter.flow) { true } else { false }
    }
  }
#endif
