#if SQLite
  import FieldstoneDurable

  /// The runs in one range of an index.
  enum RunList: Hashable {
    case all
    /// The runs in a state other than running.
    case state(flow: String, Int)
    /// The same, sorted by the time of stopping.
    case stopped(flow: String, Int)
    /// The running runs, whose index has no order that a query asks for.
    case running(flow: String)
    case key(flow: String, String)
    case keys(flow: String, first: String, end: String?)
    case error(ErrorFingerprint)
    case attribute(name: String, value: String)
    case wait(flow: String, String)
    /// The runs that await any signal.
    case signals(flow: String)
    case gate(flow: String, Int)
    case quarantine

    /// All runs of a flow in a state.
    static func all(of flow: String, in state: RunState) -> Self {
      state == .running ? .running(flow: flow) : .state(flow: flow, state.code)
    }

    /// Whether the index has this order.
    func isSorted(by order: RunOrder) -> Bool {
      switch self {
      case .all, .state, .error, .attribute, .wait, .signals, .gate: !order.isByStop
      case .stopped: order.isByStop
      case .running, .key, .keys, .quarantine: false
      }
    }

    /// Whether all its runs belong to the requested flow.
    var hasFlow: Bool {
      switch self {
      case .state, .running, .stopped, .key, .keys, .wait, .signals, .gate: true
      case .all, .error, .attribute, .quarantine: false
      }
    }

    var hasState: Bool {
      switch self {
      case .state, .running, .stopped: true
      default: false
      }
    }
  }
#endif
