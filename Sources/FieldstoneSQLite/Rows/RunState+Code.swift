#if SQLite
  import FieldstoneDurable

  extension RunState {
    /// The number that stands for the state in the database, for ever.
    var code: Int {
      switch self {
      case .ready: 0
      case .running: 1
      case .completed: 2
      case .dead: 3
      case .blocked: 4
      case .cancelled: 5
      }
    }

    init?(code: Int) {
      guard let state = Self.allCases.first(where: { $0.code == code }) else { return nil }
      self = state
    }
  }
#endif
