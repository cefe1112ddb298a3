public import Foundation

/// What a person does to a run.
public enum RunChange: Sendable, Hashable {
  /// A dead, blocked, cancelled or waiting run is ready at once, with all its attempts before it.
  case retry
  /// Another stage, as JSON, takes the place of the one that is there; the run is ready at once.
  ///
  /// The stage that was there stays in the steps. The new one gets the signal that the run has
  /// received or that is there for it; what comes later is for a stage that receives it.
  case edit(Data, version: Int?)
  /// It is called off; the worker that has it loses it.
  case cancel
}

extension RunChange {
  /// Whether a run in this state can be changed so.
  package func isAllowed(in state: RunState) -> Bool {
    switch self {
    case .retry, .edit: state != .running && state != .completed
    case .cancel: !state.isOver
    }
  }

  /// What is done to the run, as a participle for messages.
  package var action: String {
    switch self {
    case .retry: "retried"
    case .edit: "edited"
    case .cancel: "cancelled"
    }
  }
}
