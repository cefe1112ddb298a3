#if INSPECTOR
  import FieldstoneDurable
  import Foundation

  /// An operator's action on a run; its raw values are part of addresses.
  enum RunAction: String, CaseIterable {
    case retry
    case edit
    case signal
    case fork
    case cancel

    /// Whether a journal allows the action in a state.
    func isAllowed(in state: RunState) -> Bool {
      switch self {
      case .retry: RunChange.retry.isAllowed(in: state)
      case .edit: RunChange.edit(.init(), version: nil).isAllowed(in: state)
      case .cancel: RunChange.cancel.isAllowed(in: state)
      case .signal: !state.isOver
      case .fork: true
      }
    }

    /// The title of its button.
    var title: String {
      switch self {
      case .retry: "Retry"
      case .edit: "Edit the stage"
      case .signal: "Send a signal"
      case .fork: "Fork"
      case .cancel: "Cancel the run"
      }
    }

    /// The effect, for the user who confirms it.
    ///
    /// - Parameter isChecked: whether the code of the run's flow is here.
    func effect(on run: RunRecord, isChecked: Bool) -> String {
      switch self {
      case .retry:
        "The run becomes ready at once, at stage \(run.sequence), with no attempts behind it. A worker "
          + "does the work of this stage again from its beginning."
      case .edit:
        "Your stage takes the place of stage \(run.sequence), and the run becomes ready at once. The "
          + "stage that is there now stays in the steps. "
          + (isChecked
            ? "A stage that the flow can't decode is refused."
            : "The inspector has no code of the flow, so the new stage is not checked: a runner that "
              + "can't read it blocks the run.")
      case .signal:
        "The run gets the signal when it receives by this name, now or later. A signal can't be taken "
          + "back."
      case .fork:
        "A new run begins at a stage of this one, which stays as it is. The new run has another identifier "
          + "and other idempotency keys, so effects of its stages are repeated. "
          + (isChecked
            ? "A stage that the flow can't decode is refused."
            : "The inspector has no code of the flow, so the stage is not checked: a runner that can't "
              + "read it blocks the new run.")
      case .cancel:
        "The run is called off. A worker that has it loses it at its next checkpoint or renewal; "
          + "effects of its work outside the journal stay. A cancelled run can be retried."
      }
    }

    /// The result, for the next page.
    var result: String {
      switch self {
      case .retry: "The run is ready again."
      case .edit: "The stage was replaced, and the run is ready."
      case .signal: "The signal is with the run."
      case .fork: "This run was started from a stage of another one."
      case .cancel: "The run is cancelled."
      }
    }
  }
#endif
