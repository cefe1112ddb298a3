import FieldstoneServing

/// How much a client may send and hold, and how long it may take.
struct RequestLimits: Sendable, Equatable {
  var server = SiteLimits()

  /// How many files there may be at once that are read while they are sent.
  var downloads = 8
  var visitors = 2_000

  /// How many airports a page that comes back is shown at once, at most; more come as it is scrolled.
  var shown = 2_000

  /// How long a visitor without a stream is remembered.
  ///
  /// With the looks for those who have gone and for memory to give back, that makes a minute.
  var absence = Duration.seconds(40)

  /// How long an edit that somebody is at is remembered while nobody looks at it.
  var draft = Duration.seconds(3_600)

  /// How often a stream says that it is alive.
  var heartbeat = Duration.seconds(15)
}
