#if PostgreSQL
  import FieldstoneDurable

  /// The runs in one or several ranges of an index.
  enum RunList: Equatable {
    /// A range of an index with a flow and a number.
    struct Numbered: Equatable {
      var flow: String
      var number: Int
    }

    /// A range of an index with a flow and a wait.
    struct Waiting: Equatable {
      var flow: String
      var wait: String
    }

    case all
    case states([Numbered])
    /// The same, sorted by the time of stopping.
    case stopped([Numbered])
    case key(flows: [String], String)
    case keys(flows: [String], first: String, end: String?)
    case error(ErrorFingerprint)
    case attribute(name: String, value: String)
    case waits([Waiting])
    /// The runs that await any signal.
    case signals(flows: [String])
    case gates([Numbered])
    case quarantine

    /// Whether the index has this order.
    func isSorted(by order: RunOrder) -> Bool {
      switch self {
      case .all, .states, .error, .attribute, .waits, .signals, .gates: !order.isByStop
      case .stopped: order.isByStop
      case .key, .keys, .quarantine: false
      }
    }

    /// Whether all its runs belong to the requested flow.
    var hasFlow: Bool {
      switch self {
      case .states, .stopped, .key, .keys, .waits, .signals, .gates: true
      case .all, .error, .attribute, .quarantine: false
      }
    }

    var hasState: Bool {
      switch self {
      case .states, .stopped: true
      default: false
      }
    }

    /// Each combination of some flows and numbers.
    static func numbered(_ flows: [String], _ numbers: [Int]) -> [Numbered] {
      flows.flatMap { flow in numbers.map { Numbered(flow: flow, number: $0) } }
    }
  }
#endif
