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
