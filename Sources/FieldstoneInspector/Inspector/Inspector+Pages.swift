#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import FieldstoneServing
  import Foundation

  extension Inspector {
    /// The page of an address.
    func page(_ target: RequestTarget, origin: String) async throws(InspectorRefusal)
      -> InspectorPage
    {
      do {
        switch target.path.count {
        case 0: return try await overview()
        case 1 where target.path[0] == "watched": return await watchedPage()
        case 2 where target.path[0] == "watched":
          return try await watchedPage(of: target.path[1], target.query)
        case 1 where target.path[0] == "timeline": return try await timelinePage(target.query)
        case 1 where target.path[0] == "keys": return KeysPage(parts: parts).page
        case 1 where target.path[0] == "changes": return try await changesPage(target.query)
        case 1 where target.path[0] == "runs":
          return try await runsPage(target.query)
        case 1 where target.path[0] == "trial": return try await trialPage(target.query)
        case 1 where target.path[0] == "flow": return try await flowPage(target.query)
        case 1 where target.path[0] == "limits":
          return LimitsPage(
            parts: parts,
            standings: try await journal.surveyedLimits(at: JournalTime(time, boot: "inspector"))
          ).page
        case 1 where target.path[0] == "workers":
          let workers = try await journal.workers()
          return WorkersPage(
            parts: try await journalParts, announced: workers,
            summary: try await census?.summary() ?? RunSummary()
          ).page
        case 1 where target.path[0] == "schedules": return try await schedulesPage(target.query)
        case 2 where target.path[0] == "schedules":
          guard let action = ScheduleAction(rawValue: target.path[1]) else {
            throw InspectorRefusal.noPage
          }
          return try await schedulePage(action, target.query)
        case 1:
          guard let action = PauseAction(rawValue: target.path[0]) else {
            throw InspectorRefusal.noPage
          }
          return try pausePage(action, target.query)
        case 2 where target.path[0] == "all":
          return try await bulkPage(target.path[1], target.query)
        case 2 where target.path[0] == "runs":
          return try await detail(of: target.path[1], target.query)
        case 3 where target.path[0] == "runs" && target.path[2] == "children":
          return try await childrenPage(of: try await run(target.path[1]), target.query)
        case 3 where target.path[0] == "runs" && target.path[2] == "copy":
          return copyPage(of: try await run(target.path[1]), origin: origin)
        case 3 where target.path[0] == "runs":
          guard let action = RunAction(rawValue: target.path[2]) else {
            throw InspectorRefusal.noPage
          }
          let run = try await run(target.path[1])
          do {
            return try form(of: action, on: run, target.query)
          } catch {
            throw InspectorRefusal(error).leading(to: .run(run.id))
          }
        default: throw InspectorRefusal.noPage
        }
      } catch {
        throw InspectorRefusal(error)
      }
    }

    private func overview() async throws -> InspectorPage {
      guard let census else { return await watchedPage(title: "Overview") }
      let summary = try await census.summary()
      return OverviewPage(
        parts: try await adding(
          pausesOf: summary.due + summary.stuck + summary.youngest, to: waitingParts),
        summary: summary, announced: try await journal.workers(),
        pauses: try await journal.surveyedPauses(atMost: OverviewPage.countedPauses + 1)
      ).page
    }

    private func runsPage(_ query: FormValues) async throws -> InspectorPage {
      let filter = try RunFilter(query)
      let parts = try await waitingParts
      let found = try await journal.search(filter, parts.waits, at: parts.now)
      let summary = try await census?.summary() ?? RunSummary()
      let survey = try journal as? any SurveyedJournal
      return RunsPage(
        parts: try await adding(pausesOf: found.lookup.page.runs, to: parts),
        filter: filter, found: found.lookup, count: found.count,
        done: BulkResult(query),
        flows: try await survey?.names(of: .flow, atMost: RunsPage.completed)
          ?? summary.flowNames,
        attributes: try await survey?.names(of: .attribute, atMost: RunsPage.completed) ?? [],
        errors: summary.errors
      ).page
    }

    private func childrenPage(of run: RunRecord, _ query: FormValues) async throws -> InspectorPage
    {
      var place: ChildPlace?
      if let text = query["after"] {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let sequence = parts[0], let ordinal = parts[1] else {
          throw InspectorRefusal(400, "“\(text.prefix(64))” is no place of a child.")
            .leading(to: .run(run.id))
        }
        place = ChildPlace(sequence: sequence, ordinal: ordinal)
      }
      let children = try await journal.children(
        of: run.id, at: nil, after: place, limit: ChildrenPage.size)
      return ChildrenPage(parts: parts, run: run, children: children, isFirst: place == nil).page
    }

    /// The run with an identifier from an address.
    func run(_ text: String) async throws -> RunRecord {
      guard let id = RunID(text) else { throw InspectorRefusal.noIdentifier(text) }
      guard let run = try await journal.run(id) else { throw JournalError.noRun(id) }
      return run
    }

    /// The number of stages per page.
    private static let stagesPerPage = 50

    private func detail(of text: String, _ query: FormValues) async throws -> InspectorPage {
      guard let id = RunID(text) else { throw InspectorRefusal.noIdentifier(text) }
      guard let standing = try await journal.standing(of: id) else { throw JournalError.noRun(id) }
      let run = standing.record
      let parts = try await adding(pausesOf: [run], to: waitingParts)
      var end = run.sequence
      if let text = query["before"] {
        guard let before = Int(text) else {
          throw InspectorRefusal(400, "“\(text.prefix(64))” is no number of a stage.")
            .leading(to: .run(id))
        }
        end = min(max(before, 0), run.sequence)
      }
      // One stage more than the page shows, to compare with the first one.
      let first = end - Self.stagesPerPage - 1
      var steps = try await journal.steps(
        of: run.id, after: first > 0 ? first - 1 : nil, limit: Self.stagesPerPage + 1
      ).steps.filter { $0.sequence < end }
      let earlier = steps.count > Self.stagesPerPage ? steps.removeFirst() : nil
      return RunDetailPage(
        parts: parts, run: run, steps: steps, earlier: earlier, endsAtRun: end == run.sequence,
        standing: standing,
        children: try await journal.children(
          of: id, at: nil, after: nil, limit: ChildrenPage.fewSize),
        report: try await journal.report(of: id, after: nil),
        done: query["done"].flatMap { text in
          RunAction(rawValue: text)?.result
            ?? PauseAction(rawValue: text)?.result(.run(id))
        }
      ).page
    }

    private func copyPage(of run: RunRecord, origin: String) -> InspectorPage {
      let text = CopyText(
        run: run, stageAddress: origin + address.stage(run.sequence, of: run.id),
        redaction: book.reader.redaction)
      return CopyPage(parts: parts, run: run, text: text).page
    }

    private func form(
      of action: RunAction, on run: RunRecord, _ query: FormValues
    ) throws -> InspectorPage {
      guard !guardian.options.isReadOnly else {
        throw InspectorRefusal(403, "This inspector only reads; start one without --read-only.")
      }
      guard action.isAllowed(in: run.state) else {
        throw InspectorRefusal(
          409, "Run \(run.id) is \(run.state.rawValue); that does not allow: \(action.title).")
      }
      let tooLarge = InspectorRefusal(
        413, "The stage is too large for a form; edit it with the command fieldstone runs edit.")
      if action == .edit, run.payload.count > ActionForm.longestPayload { throw tooLarge }
      var form = ActionForm(action, for: run, signals, hiding: book.reader.redaction)
      // The other fields take less than 16 KiB.
      if action == .edit, form.postedBytes > RequestGuard.longestBody - 16_384 { throw tooLarge }
      if action == .fork, let text = query["from"] {
        guard let sequence = Int(text), sequence >= 0 else {
          throw InspectorRefusal(400, "“\(text.prefix(64))” is no number of a stage.")
        }
        form.from = "\(sequence)"
      }
      return ActionPage(
        parts: parts, action: action, run: run, form: form,
        token: guardian.formToken, isChecked: isChecked(run), signals: signals.keys.sorted(),
        confirms: action == .retry || action == .cancel
      ).page
    }
  }
#endif
