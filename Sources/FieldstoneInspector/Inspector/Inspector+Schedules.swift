#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneServing

  extension Inspector {
    /// The page of all schedules.
    func schedulesPage(_ query: FormValues) async throws -> InspectorPage {
      let notice = query["done"].flatMap(ScheduleAction.init)?.result(query["name"] ?? "")
      return SchedulesPage(parts: parts, records: try await journal.schedules(), notice: notice)
        .page
    }

    /// The page that asks to confirm an action on a schedule.
    func schedulePage(_ action: ScheduleAction, _ query: FormValues) async throws -> InspectorPage {
      guard !guardian.options.isReadOnly else {
        throw InspectorRefusal(403, "This inspector only reads; start one without --read-only.")
      }
      let name = query["name"] ?? ""
      guard try await journal.schedules().contains(where: { $0.name.utf8.elementsEqual(name.utf8) })
      else {
        throw ScheduleError.noSchedule(name)
      }
      // Without one the schedule can't be read, and the form is answered by the reason.
      let slot = action == .run ? try? await journal.slotOfRuns(ofSchedule: name) : nil
      let run = slot.map { RunID(at: time.now, slot: $0) }
      return ScheduleActionPage(parts: parts, action: action, name: name, run: run).page
    }

    /// The run that a form of a schedule has started already; nil if it is still to be started.
    private func startedRun(_ text: String, of name: String) async throws -> RunID? {
      guard let id = RunID(text), let known = try await journal.run(id) else { return nil }
      guard known.attributes[ScheduleOptions.scheduleAttribute] == .string(name) else {
        throw InspectorRefusal(
          409, "Another run has the identifier of this form, so nothing was started; open it again."
        )
      }
      return id
    }

    /// Performs the action of a confirmed form.
    func postSchedule(
      _ action: ScheduleAction, _ post: InspectorPost
    ) async throws -> SiteResponse {
      let name = post.target.query["name"] ?? ""
      guard post.values["confirmed"] == "yes" else {
        return html(try await schedulePage(action, post.target.query), target: nil)
      }
      let journal = try journal
      let now = JournalTime(time, boot: "inspector")
      let newRun = action == .run ? post.values["run"] ?? "" : ""
      if let started = try await startedRun(newRun, of: name) {
        return .redirect(to: address.run(started))
      }
      let run = try await changing(action.rawValue, "the schedule “\(name)”", by: post) {
        () -> RunID? in
        switch action {
        case .run:
          return try await journal.runNow(name, by: post.actor, at: now) {
            try newRunID(newRun, fresh: RunID(at: now.date, slot: $0))
          }.id
        case .pause: try await journal.pauseSchedule(name, by: post.actor, at: now)
        case .resume: _ = try await journal.resumeSchedule(name, by: post.actor, at: now)
        case .remove:
          if try await !journal.removeSchedule(name, by: post.actor, at: now) {
            throw ScheduleError.noSchedule(name)
          }
        }
        return nil
      }
      await census?.forget()
      return .redirect(to: run.map(address.run) ?? address.schedules(done: action, name))
    }
  }
#endif
