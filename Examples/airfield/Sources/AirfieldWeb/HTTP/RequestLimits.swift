public import FieldstoneServing

/// How much a client may send and hold, and how long it may take.
public struct RequestLimits: Sendable, Equatable {
  /// The limits of the server.
  public var server = SiteLimits()

  /// How many files there may be at once that are read while they are sent.
  public var downloads = 8

  /// How many visitors are remembered at once.
  public var visitors = 2_000

  /// How many airports a page that comes back is shown at once, at most; more come as it is scrolled.
  public var shown = 2_000

  /// How long a visitor without a stream is remembered.
  ///
  /// With the looks for those who have gone and for memory to give back, that makes a minute.
  public var absence = Duration.seconds(40)

  /// How long an edit that has begun is remembered while nobody looks at it.
  public var draft = Duration.seconds(3_600)

  /// How often a stream says that it is alive.
  public var heartbeat = Duration.seconds(15)

  /// Makes the limits that hold unless others are set.
  public init() {}
}
