#if INSPECTOR
  /// An operator's action on a schedule; its raw values are part of addresses.
  enum ScheduleAction: String, CaseIterable {
    case run
    case pause
    case resume
    case remove

    var title: String {
      switch self {
      case .run: "Run now"
      case .pause: "Pause"
      case .resume: "Resume"
      case .remove: "Remove"
      }
    }

    var effect: String {
      switch self {
      case .run:
        "A run is started beside the ticks, also while the schedule is paused or a run of it is not over."
      case .pause: "Its ticks pass by and are not started later. Runs that were started go on."
      case .resume:
        "It goes on with its first tick from now on; those that passed by are not started."
      case .remove:
        "It has no ticks any more. Runs that were started go on. An app that sets it at launch brings it back."
      }
    }

    func question(_ name: String) -> String {
      self == .run ? "Run the schedule “\(name)” now?" : "\(title) the schedule “\(name)”?"
    }

    func result(_ name: String) -> String {
      let subject = "The schedule “\(name)”"
      return switch self {
      case .run: subject + " has started a run."
      case .pause: subject + " is paused."
      case .resume: subject + " goes on."
      case .remove: subject + " is removed."
      }
    }
  }
#endif
