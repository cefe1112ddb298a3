/// The waits of ready runs that a journal finds by an index.
///
/// The value is that of the last claim. If a run's time has come, or its pause has ended by itself,
/// it is found until a claim of its flow takes it or has no room for it; if the claim has room, but
/// the run's key has not, the run is found by ``keyLimit`` alone from then on. A run with several
/// waits, such as a paused one that awaits a signal, is found by each. ``RunWaitReason`` gives the one
/// reason of one run at a moment, with more cases.
public enum RunWait: Sendable, Hashable {
  /// A time that its start or its stage has set.
  case time
  /// The time of its next attempt, after a failed one.
  case retry
  /// A signal of this name, perhaps among others; nil for any name.
  case signal(String?)
  /// Its children.
  case children
  /// The end of a pause of its flow, of its concurrency key or of the run.
  case pause
  /// A place of its concurrency key, whose places are all taken.
  case keyLimit
  /// Its turn in quarantine.
  case quarantine
}

extension RunWait: CustomStringConvertible {
  /// The waits without a name.
  package static let allWithoutName: [Self] = [
    .time, .retry, .signal(nil), .children, .pause, .keyLimit, .quarantine,
  ]

  /// A word, followed by a colon and the signal's name for a signal.
  public var description: String {
    switch self {
    case .time: "time"
    case .retry: "retry"
    case .signal(let name): name.map { "signal:\($0)" } ?? "signal"
    case .children: "children"
    case .pause: "pause"
    case .keyLimit: "limit"
    case .quarantine: "quarantine"
    }
  }

  /// Reads a word; nil for an invalid one.
  package init?(_ description: String) {
    if description.hasPrefix("signal:") {
      self = .signal(String(description.dropFirst("signal:".count)))
    } else if let wait = Self.allWithoutName.first(where: { $0.description == description }) {
      self = wait
    } else {
      return nil
    }
  }
}

extension RunWait {
  /// The value of a journal's column `wait`.
  ///
  /// Nil for waits in other columns, and for a signal of any name, which begins with ``anySignal``.
  /// A run that awaits this signal or others has another value, among ``severalSignals``.
  package var column: String? {
    switch self {
    case .time, .retry, .children, .signal(.some): description
    case .signal(nil), .pause, .keyLimit, .quarantine: nil
    }
  }

  /// The prefix of the column of all runs that await a signal, and the first text after these.
  package static let anySignal = (first: "signal:", end: "signal;")

  /// The same for the runs that await signals of several names.
  package static let severalSignals = (first: "signal:\u{1F}", end: "signal: ")

  /// The largest number of values of the column that a query seeks one by one.
  package static let mostSought = 100

  /// Whether a value of the column is that of runs that await a signal of this name, among others.
  package static func isAwaited(_ name: String, in column: String) -> Bool {
    AwaitedSignals.names(String(column.dropFirst(anySignal.first.count))).hasName(name)
  }
}
