public import Foundation

/// An operator's change of a run.
public enum RunChange: Sendable, Hashable {
  /// Makes a dead, blocked, cancelled or waiting run ready at once, with all its attempts
  /// available.
  case retry
  /// Replaces the stage by another one, as JSON, and makes the run ready at once.
  ///
  /// The old stage stays in the steps. The new stage gets the signal that the run has received or
  /// that exists for it. Later signals need a stage that receives them. With an expected sequence
  /// the edit is refused if the run has left that stage.
  case edit(Data, version: Int?, expectedSequence: Int? = nil)
  /// Cancels the run; the worker that holds it loses it.
  case cancel
}

extension RunChange {
  /// Whether a run in this state allows the change.
  package func isAllowed(in state: RunState) -> Bool {
    switch self {
    case .retry, .edit: state != .running && state != .completed
    case .cancel: !state.isOver
    }
  }

  /// Throws if the run's state does not allow the change.
  package func check(against run: RunRecord) throws(JournalError) {
    if case .edit(_, version: _, expectedSequence: let expected?) = self, expected != run.sequence {
      throw .hasGoneOn(run.id, from: expected, to: run.sequence)
    }
    guard isAllowed(in: run.state) else {
      throw .notAllowed(run.id, state: run.state, action: action)
    }
  }

  /// The change as a participle, for messages.
  package var action: String {
    switch self {
    case .retry: "retried"
    case .edit: "edited"
    case .cancel: "cancelled"
    }
  }
}
