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
