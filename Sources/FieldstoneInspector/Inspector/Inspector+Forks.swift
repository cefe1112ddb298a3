#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import FieldstoneServing
  import Foundation

  extension Inspector {
    /// The identifier for the fork of a reviewed form.
    func newForkID(of run: RunRecord) async throws -> RunID {
      RunID(at: time.now, slot: try await journal.slotOfForks(of: run))
    }

    /// The fork that a form has started already; nil if it is still to be started.
    func startedFork(_ form: ActionForm, of run: RunRecord) async throws -> RunID? {
      guard let id = RunID(form.fork), let known = try await journal.run(id) else { return nil }
      return try own(known, form, of: run)
    }

    /// Starts the fork of a form.
    func fork(_ run: RunRecord, _ form: ActionForm, by actor: String) async throws -> RunID {
      let id = try newRunID(form.fork, fresh: try await newForkID(of: run))
      let fork = RunFork(run.id, from: Int(form.from), by: actor)
      let new = try await journal.fork(
        fork, checkedBy: check(of: run.flow), at: JournalTime(time, boot: "inspector")
      ) { _ in id }
      return try own(new, form, of: run)
    }

    /// - Returns: the identifier of a run, if it is the fork that a form describes: the journal gives
    ///   the run that has the identifier, whatever it is.
    private func own(
      _ new: RunRecord, _ form: ActionForm, of run: RunRecord
    ) throws(InspectorRefusal) -> RunID {
      guard let origin = new.origin, origin.run == run.id, origin.sequence == Int(form.from) else {
        throw InspectorRefusal(
          409, "Another run has the identifier of this form, so nothing was forked; open it again.")
      }
      return new.id
    }

    /// Why no fork can begin at the stage of a form; nil if one can.
    func problem(ofFork form: ActionForm, of run: RunRecord) async throws -> InspectorRefusal? {
      guard let sequence = Int(form.from), sequence >= 0 else {
        return InspectorRefusal(422, "“\(form.from.prefix(64))” is no number of a stage.")
      }
      do {
        _ = try await journal.forkedStage(sequence, of: run, checkedBy: check(of: run.flow))
        return nil
      } catch let error as DurableRunError {
        return InspectorRefusal(error)
      }
    }
  }
#endif
