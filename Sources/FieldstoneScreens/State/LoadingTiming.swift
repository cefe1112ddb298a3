/// The delay and the minimum time of a screen's loading state, against flicker.
public struct LoadingTiming: Sendable, Hashable {
  /// The time from the start of a load to the loading state.
  ///
  /// Until then the screen keeps its state; a new screen stays blank.
  package let delay: Duration

  /// The minimum time of the loading state.
  package let minimum: Duration

  /// Makes a timing; durations below zero count as zero.
  public init(delay: Duration = .zero, minimum: Duration = .zero) {
    self.delay = max(.zero, delay)
    self.minimum = max(.zero, minimum)
  }

  /// No delay and no minimum time; the default.
  public static let immediate = LoadingTiming()

  /// A delay of 0.2 seconds, and a minimum of 0.5 seconds.
  public static let calm = LoadingTiming(delay: .milliseconds(200), minimum: .milliseconds(500))
}

/// Delays the loading state, then keeps it for a minimum time.
///
/// Pure transitions: the screen's model updates again at the time that they return.
package struct LoadingIndicatorTiming<State> {
  private let timing: LoadingTiming

  /// The present state.
  package private(set) var shown: State {
    didSet { isTaken = true }
  }

  /// Whether the last update took a state; otherwise the state before stays.
  package private(set) var isTaken = false

  /// The start of a load that is not shown yet.
  private var waitingSince: Duration?

  /// The start of the loading state.
  private var shownSince: Duration?

  package init(_ timing: LoadingTiming, showing state: State) {
    self.timing = timing
    shown = state
  }

  /// Takes the next state.
  ///
  /// - Parameters:
  ///   - state: the next state.
  ///   - isLoading: true for a loading state, which has to wait.
  ///   - now: the uptime.
  ///   - blank: the state during the delay; nil for the state before.
  /// - Returns: the uptime of the next update; nil if no update is due.
  package mutating func update(
    _ state: State, isLoading: Bool, at now: Duration, blank: State? = nil
  ) -> Duration? {
    isTaken = false
    if isLoading {
      if shownSince != nil { return nil }
      let since = waitingSince ?? now
      waitingSince = since
      let due = since + timing.delay
      guard now >= due else {
        if let blank { shown = blank }
        return due
      }
      waitingSince = nil
      shownSince = now
      shown = state
      return nil
    }
    waitingSince = nil
    if let since = shownSince {
      let due = since + timing.minimum
      guard now >= due else { return due }
      shownSince = nil
    }
    shown = state
    return nil
  }
}
