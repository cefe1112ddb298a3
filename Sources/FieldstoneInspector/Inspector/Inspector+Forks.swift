#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import FieldstoneServing
  import Foundation

  extension Inspector {
    /// How long a reviewed form can start its fork, in seconds.
    private static let formLife: TimeInterval = 86_400
    /// How far the clock may have been set back since the form was made, in seconds.
    private static let clockSlack: TimeInterval = 60

    /// The identifier for the fork of a reviewed form.
    func newForkID(of run: RunRecord) throws -> RunID {
      RunID(at: time.now, slot: try journal.slotOfForks(of: run))
    }

    /// The fork that a form has started already; nil if it is still to be started.
    func startedFork(_ form: ActionForm, of run: RunRecord) async throws -> RunID? {
      guard let id = RunID(form.fork), let known = try await journal.run(id) else { return nil }
      return try own(known, form, of: run)
    }

    /// Starts the fork of a form.
    func fork(_ run: RunRecord, _ form: ActionForm, by actor: String) async throws -> RunID {
      let id = try forkID(form, of: run)
      let fork = RunFork(run.id, from: Int(form.from), by: actor)
      let new = try await journal.fork(
        fork, checkedBy: check(of: run.flow), at: JournalTime(time, boot: "inspector")
      ) { _ in id }
      return try own(new, form, of: run)
    }

    /// The identifier of a form, which may be one that none of our pages made.
    ///
    /// The journal finds a run by its slot, and lists sort by the time: both are those of a form that
    /// was reviewed lately.
    private func forkID(_ form: ActionForm, of run: RunRecord) throws -> RunID {
      let fresh = try newForkID(of: run)
      if form.fork.isEmpty { return fresh }
      let times =
        RunID.lowest(at: time.now - Self.formLife)...RunID.highest(at: time.now + Self.clockSlack)
      guard let id = RunID(form.fork), id.slot == fresh.slot, times.contains(id) else {
        throw InspectorRefusal(409, "The form is out of date; open it again.")
      }
      return id
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
