#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import FieldstoneServing
  import Foundation

  extension Inspector {
    /// Takes a posted form: reviews what was typed, or does what was confirmed.
    func post(_ post: InspectorPost) async throws(InspectorRefusal) -> InspectorResponse {
      let (target, values) = (post.target, post.values)
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
      do {
        let run = try await run(target.path[1])
        guard action == .signal || action == .cancel || values["sequence"] == "\(run.sequence)"
        else {
          throw InspectorRefusal(
            409,
            "The run has gone on meanwhile, to stage \(run.sequence); look at it and decide again.")
        }
        let form = ActionForm(values)
        if let problem = try problem(of: form, action) { return review(run, action, form, problem) }
        guard values["confirmed"] == "yes" else { return review(run, action, form, nil) }
        let subject = "\(run.key ?? "\(run.id)") of \(run.flow), stage \(run.sequence)"
        try await changing(action.rawValue, subject, run: run.id, by: post) {
          try await perform(action, on: run, form)
        }
        await census?.forget()
        return .redirect(to: address.done(action, on: run.id))
      } catch {
        throw InspectorRefusal(error)
      }
    }

    /// A form that comes back: with a problem to be mended, else as a question.
    private func review(
      _ run: RunRecord, _ action: RunAction, _ form: ActionForm, _ problem: InspectorRefusal?
    ) -> InspectorResponse {
      let page = ActionPage(
        parts: parts, action: action, run: run, form: form, token: guardian.formToken,
        confirms: problem == nil, problem: problem
      ).page
      return html(page, target: nil)
    }

    private func problem(
      of form: ActionForm, _ action: RunAction
    ) throws(InspectorRefusal) -> InspectorRefusal? {
      guard action == .edit || action == .signal else { return nil }
      if !StageText.isJSON(Data(form.payload.utf8)) {
        return InspectorRefusal(JournalError.notJSON)
      }
      let bytes = form.json.count
      let limit = try journal.limits.error
      if bytes > limit {
        return InspectorRefusal(JournalError.tooLarge(bytes: bytes, limit: limit))
      }
      if action == .edit, !form.version.isEmpty, Int(form.version) == nil {
        return InspectorRefusal(422, "“\(form.version.prefix(64))” is no version; write a number.")
      }
      if action == .signal, form.name.isEmpty || form.identifier.isEmpty {
        return InspectorRefusal(422, "A signal has a name and an identifier; write both.")
      }
      return nil
    }

    private func perform(_ action: RunAction, on run: RunRecord, _ form: ActionForm) async throws {
      let now = JournalTime(time, boot: "inspector")
      switch action {
      case .retry: try await journal.change(run.id, .retry, at: now)
      case .cancel: try await journal.change(run.id, .cancel, at: now)
      case .edit:
        try await journal.change(
          run.id, .edit(form.json, version: Int(form.version)), at: now)
      case .signal:
        let signal = SignalRecord(
          id: form.identifier, name: form.name, payload: form.json, sentAt: now.date)
        try await journal.signal(run.id, signal, at: now)
      }
    }
  }
#endif
