#if INSPECTOR
  /// A column of the table of runs beside the run itself; its raw values are part of addresses.
  enum RunColumn: String, CaseIterable {
    case state
    case flow
    case version
    case stage
    case attempts
    case priority
    case concurrencyKey = "concurrency"
    case started
    case changed
    case due
    case worker
    case attributes
    case error
    case standing

    /// The columns that are shown unless others are chosen.
    static let usual: Set<Self> = [.state, .flow, .stage, .attempts, .started, .standing]

    var title: String {
      switch self {
      case .state: "State"
      case .flow: "Flow"
      case .version: "Version"
      case .stage: "Stage"
      case .attempts: "Attempts"
      case .priority: "Priority"
      case .concurrencyKey: "Concurrency key"
      case .started: "Started"
      case .changed: "Changed"
      case .due: "Due"
      case .worker: "Worker"
      case .attributes: "Attributes"
      case .error: "Error"
      case .standing: "Standing"
      }
    }

    /// The class of its cells; the style sheet places the usual ones on a phone.
    var name: String {
      switch self {
      case .state: "at-state"
      case .flow: "at-flow"
      case .stage: "at-stage"
      case .attempts: "at-attempts number"
      case .started: "at-start"
      case .standing: "at-standing"
      case .version, .priority: "at-more number"
      case .concurrencyKey, .changed, .due, .worker: "at-more"
      case .attributes, .error: "at-more detail"
      }
    }
  }
#endif
