/// Holds the loading view back, and then holds on to it, as a timing says.
///
/// The whole of it is here: the screen's model only asks again when the time has come.
struct LoadingCurtain {
  let timing: LoadingTiming

  /// What is shown now.
  private(set) var shown: ScreenState = .initial

  /// Since when something is on its way and not said to be.
  private var waitingSince: Duration?

  /// Since when the loading view is shown.
  private var shownSince: Duration?

  init(_ timing: LoadingTiming) {
    self.timing = timing
  }

  /// Takes what there is to show.
  ///
  /// - Returns: when to ask again, if time alone changes what is shown.
  mutating func update(_ state: ScreenState, at now: Duration) -> Duration? {
    if case .loading = state {
      if shownSince != nil { return nil }
      let since = waitingSince ?? now
      waitingSince = since
      let due = since + timing.delay
      guard now >= due else { return due }
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
