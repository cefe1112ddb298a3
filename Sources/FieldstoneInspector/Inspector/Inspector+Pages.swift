#if Inspector
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import Foundation

  extension Inspector {
    /// The page of an address.
    func page(_ target: RequestTarget) async throws(InspectorRefusal) -> InspectorPage {
      do {
        switch target.path.count {
        case 0: return OverviewPage(parts: parts, summary: try await census.summary()).page
        case 1 where target.path[0] == "runs":
          let filter = try RunFilter(target.query)
          return RunsPage(
            parts: parts, filter: filter, runs: try await journal.runs(filter.query),
            flows: try await census.summary().flows.keys.sorted()
          ).page
        case 2 where target.path[0] == "runs":
          return try await detail(of: try await run(target.path[1]), target.query)
        case 3 where target.path[0] == "runs":
          guard let action = RunAction(rawValue: target.path[2]) else {
            throw InspectorRefusal.noPage
          }
          return try form(of: action, on: try await run(target.path[1]))
        default: throw InspectorRefusal.noPage
        }
      } catch {
        throw InspectorRefusal(error)
      }
    }

    /// The run of an identifier in an address.
    func run(_ text: String) async throws -> RunRecord {
      guard let id = RunID(text) else { throw InspectorRefusal.noIdentifier(text) }
      guard let run = try await journal.run(id) else { throw JournalError.noRun(id) }
      return run
    }

    /// How many stages a page has.
    private static let stagesPerPage = 50

    private func detail(of run: RunRecord, _ query: FormValues) async throws -> InspectorPage {
      var end = run.sequence
      if let text = query["before"] {
        guard let before = Int(text) else {
          throw InspectorRefusal(400, "“\(text.prefix(64))” is no number of a stage.")
        }
        end = min(max(before, 0), run.sequence)
      }
      // One more than is shown, to compare the first one with.
      let first = end - Self.stagesPerPage - 1
      var steps = try await journal.steps(
        of: run.id, after: first > 0 ? first - 1 : nil, limit: Self.stagesPerPage + 1
      ).steps.filter { $0.sequence < end }
      let earlier = steps.count > Self.stagesPerPage ? steps.removeFirst() : nil
      return RunDetailPage(
        parts: parts, run: run, steps: steps, earlier: earlier, endsAtRun: end == run.sequence,
        done: query["done"].flatMap(RunAction.init)
      ).page
    }

    private func form(of action: RunAction, on run: RunRecord) throws -> InspectorPage {
      guard !guardian.options.isReadOnly else {
        throw InspectorRefusal(403, "This inspector only reads; start one without --read-only.")
      }
      guard action.isAllowed(in: run.state) else {
        throw InspectorRefusal(
          409, "Run \(run.id) is \(run.state.rawValue); that does not allow: \(action.title).")
      }
      if action == .edit, run.payload.count > ActionForm.longestPayload {
        throw InspectorRefusal(
          413, "The stage is too large for a form; edit it with the command fieldstone runs edit.")
      }
      return ActionPage(
        parts: parts, action: action, run: run, form: ActionForm(action, for: run),
        token: guardian.formToken, confirms: action == .retry || action == .cancel
      ).page
    }
  }
#endif
