#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import FieldstoneServing
  import Foundation

  extension Inspector {
    /// Handles a posted form: shows its input for review, or performs the confirmed action.
    func post(_ post: InspectorPost) async throws(InspectorRefusal) -> SiteResponse {
      let target = post.target
      if target.path.first == "watched" || target.path.first == "timeline" {
        return try await postLive(post)
      }
      if target.path.count == 2, target.path[0] == "all" {
        do {
          return try await postBulk(target.path[1], post)
        } catch {
          throw InspectorRefusal(error)
        }
      }
      if target.path.count == 1, let action = PauseAction(rawValue: target.path[0]) {
        do {
          return try await postPause(action, post)
        } catch {
          throw InspectorRefusal(error)
        }
      }
      if target.path.count == 2, target.path[0] == "schedules",
        let action = ScheduleAction(rawValue: target.path[1])
      {
        do {
          return try await postSchedule(action, post)
        } catch {
          throw InspectorRefusal(error)
        }
      }
      guard target.path.count == 3, target.path[0] == "runs",
        let action = RunAction(rawValue: target.path[2])
      else { throw .noPage }
      let run: RunRecord
      do {
        run = try await self.run(target.path[1])
      } catch {
        throw InspectorRefusal(error)
      }
      do {
        return try await self.post(action, on: run, post)
      } catch {
        throw InspectorRefusal(error).leading(to: .run(run.id))
      }
    }

    /// Handles the form of an action on a run.
    private func post(
      _ action: RunAction, on run: RunRecord, _ post: InspectorPost
    ) async throws -> SiteResponse {
      let values = post.values
      let form = ActionForm(values, action, for: run, hiding: book.reader.redaction)
      let isConfirmed = values["confirmed"] == "yes"
      // It is answered even if the run has gone on since the fork.
      if action == .fork, isConfirmed, let fork = try await startedFork(form, of: run) {
        return .redirect(to: address.done(action, on: fork))
      }
      guard action == .signal || action == .cancel || values["sequence"] == "\(run.sequence)"
      else {
        throw InspectorRefusal(
          409,
          "The run has gone on meanwhile, to stage \(run.sequence); look at it and decide again.")
      }
      if let problem = try await problem(of: form, action, on: run) {
        return try await review(run, action, form, problem)
      }
      guard isConfirmed else { return try await review(run, action, form, nil) }
      let subject = "\(run.title()) of \(run.flow), stage \(run.sequence)"
      let changed = try await changing(action.rawValue, subject, run: run.id, by: post) {
        try await perform(action, on: run, form, by: post.actor)
      }
      await census?.forget()
      return .redirect(to: address.done(action, on: changed))
    }

    /// Shows a form again: with a problem to correct, otherwise for confirmation.
    private func review(
      _ run: RunRecord, _ action: RunAction, _ form: ActionForm, _ problem: InspectorRefusal?
    ) async throws -> SiteResponse {
      var form = form
      if action == .fork, problem == nil { form.fork = "\(try await newForkID(of: run))" }
      let page = ActionPage(
        parts: parts, action: action, run: run, form: form, token: guardian.formToken,
        isChecked: isChecked(run), signals: signals.keys.sorted(), confirms: problem == nil,
        problem: problem
      ).page
      return html(page, target: nil)
    }

    private func problem(
      of form: ActionForm, _ action: RunAction, on run: RunRecord
    ) async throws -> InspectorRefusal? {
      if action == .fork { return try await problem(ofFork: form, of: run) }
      guard action == .edit || action == .signal else { return nil }
      if action == .signal, form.name.isEmpty || form.identifier.isEmpty {
        return InspectorRefusal(422, "A signal has a name and an identifier; write both.")
      }
      if let problem = try problem(ofJSON: form.json) { return problem }
      if form.hasStrayDots {
        return InspectorRefusal(
          422,
          "Some dots stand for no redacted value of this stage, or in a member that is not redacted; "
            + "write a value there.")
      }
      if action == .signal { return problem(ofSignal: form.name, form.json) }
      if let problem = problem(ofVersion: form.version) { return problem }
      do throws(DurableRunError) {
        try check(of: run.flow).check(
          form.json, version: Int(form.version) ?? run.version, of: run.flow, run: run.id,
          sequence: run.sequence)
        return nil
      } catch {
        return InspectorRefusal(422, error.message)
      }
    }

    /// Why a text can't be written as a stage or as the payload of a signal; nil if it can.
    func problem(ofJSON json: Data) throws(InspectorRefusal) -> InspectorRefusal? {
      if !StageText.isJSON(json) { return InspectorRefusal(JournalError.notJSON) }
      let limit = try journal.limits.error
      return json.count > limit
        ? InspectorRefusal(JournalError.tooLarge(bytes: json.count, limit: limit)) : nil
    }

    /// Why a text is no version of a flow; nil if it is, or is empty.
    func problem(ofVersion text: String) -> InspectorRefusal? {
      text.isEmpty || Int(text) != nil
        ? nil : InspectorRefusal(422, "“\(text.prefix(64))” is no version; write a number.")
    }

    /// Why a payload is none of the signal of a name; nil if it is, or if the signal is not known.
    func problem(ofSignal name: String, _ payload: Data) -> InspectorRefusal? {
      signals[name]?.problem(of: payload).map {
        InspectorRefusal(422, "That is no payload of the signal “\(name.prefix(64))”: \($0)")
      }
    }

    /// Whether this process has the code of a run's flow.
    func isChecked(_ run: RunRecord) -> Bool {
      if case .flows = check(of: run.flow) { true } else { false }
    }

    /// - Returns: the run to show afterwards.
    private func perform(
      _ action: RunAction, on run: RunRecord, _ form: ActionForm, by actor: String
    ) async throws -> RunID {
      let now = JournalTime(time, boot: "inspector")
      switch action {
      case .retry: try await journal.change(run.id, .retry, by: actor, at: now)
      case .cancel: try await journal.change(run.id, .cancel, by: actor, at: now)
      case .edit:
        try await journal.change(
          run.id,
          .edit(form.json, version: Int(form.version), expectedSequence: run.sequence), by: actor,
          at: now)
      case .signal:
        let signal = SignalRecord(
          id: form.identifier, name: form.name, payload: form.json, sentAt: now.date, actor: actor)
        try await journal.signal(run.id, signal, at: now)
      case .fork:
        return try await fork(run, form, by: actor)
      }
      return run.id
    }
  }
#endif
