extension RunState {
  /// The number of the state in databases, which never changes.
  package var code: Int {
    switch self {
    case .ready: 0
    case .running: 1
    case .completed: 2
    case .dead: 3
    case .blocked: 4
    case .cancelled: 5
    }
  }

  package init?(code: Int) {
    guard let state = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = state
  }

  /// The numbers of some states, separated by commas.
  package static func codes(where isMeant: (RunState) -> Bool) -> String {
    allCases.filter(isMeant).map { "\($0.code)" }.joined(separator: ", ")
  }
}
