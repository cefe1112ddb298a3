#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable

  /// The refusal of a request: its status, and a message for its user.
  struct InspectorRefusal: DescribedError, Hashable {
    var status: Int
    var message: String
    /// Where its user can go on, beside the overview.
    var way: Way?

    /// A page that a refusal leads to.
    enum Way: Hashable {
      case run(RunID)
      /// The runs, without filters.
      case runs
      /// The timeline, without filters.
      case timeline
    }

    init(_ status: Int, _ message: String) {
      self.status = status
      self.message = message
    }

    /// The same with a way on, unless it has one.
    func leading(to way: Way) -> Self {
      var refusal = self
      refusal.way = self.way ?? way
      return refusal
    }

    static func noIdentifier(_ text: String) -> Self {
      Self(
        404,
        "“\(text.prefix(64))” is no run's identifier; it has 26 letters and digits. Look at the list of "
          + "runs.")
    }

    static let noPage = Self(404, "There is no such page; begin at the overview.")

    /// Maps an error of a journal to a refusal.
    init(_ error: any Error) {
      switch error {
      case let error as InspectorRefusal: self = error
      case let error as JournalError:
        let status =
          switch error {
          case .noRun: 404
          case .notAllowed, .hasGoneOn, .stillNeeded, .signalTaken, .claimLost: 409
          case .tooLarge: 413
          case .notJSON, .keyTooLong, .containsNUL, .invalidSignalNames: 422
          case .unavailable, .closed, .replaced: 503
          default: 500
          }
        self.init(status, error.message)
      case let error as ScheduleError:
        let status =
          switch error {
          case .noSchedule: 404
          case .contended: 409
          default: 422
          }
        self.init(status, error.message)
      // A stage that the flow can't decode.
      case let error as DurableRunError: self.init(422, error.message)
      case let error as any DescribedError: self.init(500, error.message)
      default: self.init(500, "The journal could not be read (\(error)); look at its file.")
      }
    }
  }
#endif
