/// When a screen says that it is loading, so that short loads do not flicker.
public struct LoadingTiming: Sendable, Hashable {
  /// How long a load has to take before the screen says so.
  ///
  /// Until then it shows what it showed, and nothing where it has shown nothing yet.
  public var delay: Duration

  /// How long the screen says so at least, once it does.
  public var minimum: Duration

  /// Makes a timing; durations below zero count as zero.
  public init(delay: Duration = .zero, minimum: Duration = .zero) {
    self.delay = max(.zero, delay)
    self.minimum = max(.zero, minimum)
  }

  /// At once, and as short as it is; the default.
  public static let immediate = LoadingTiming()

  /// After a fifth of a second, and for half a second at least.
  public static let calm = LoadingTiming(delay: .milliseconds(200), minimum: .milliseconds(500))
}

/// Holds back that something is under way, and then holds on to it, as a timing says.
///
/// The whole of it is here: the screen's model only asks again when the time has come.
package struct LoadingIndicatorTiming<State> {
  private let timing: LoadingTiming

  /// What is shown now.
  package private(set) var shown: State

  /// Since when something is on its way and not said to be.
  private var waitingSince: Duration?

  /// Since when it is said to be.
  private var shownSince: Duration?

  package init(_ timing: LoadingTiming, showing state: State) {
    self.timing = timing
    shown = state
  }

  /// Takes what there is to show.
  ///
  /// - Parameters:
  ///   - state: what there is to show.
  ///   - isLoading: whether it says that something is under way, and so has to wait.
  ///   - now: the time, by one clock.
  ///   - blank: what is shown during the delay; nil for what was shown before.
  /// - Returns: when to ask again, if time alone changes what is shown.
  package mutating func update(
    _ state: State, isLoading: Bool, at now: Duration, blank: State? = nil
  ) -> Duration? {
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
