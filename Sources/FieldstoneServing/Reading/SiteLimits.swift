/// How much a client may send and hold, and how long it may take.
public struct SiteLimits: Sendable, Hashable {
  /// The longest body of a request in bytes, forms with files aside.
  public var body = 262_144
  /// The most bytes that are read of a refused form with files, so that a browser sees the answer.
  public var refusedBody = 268_435_456
  /// The most connections at once, a reserve of 16 for short requests aside.
  public var connections = 512
  /// The most streams of events at once.
  public var streams = 256
  /// The longest time for a request to arrive, from its first byte on.
  public var arrival = Duration.seconds(10)
  /// The longest silence of a connection between two requests.
  public var silence = Duration.seconds(60)
  /// The longest time for a client to read an answer, an event, or a piece of a download.
  public var reading = Duration.seconds(30)
  /// The longest time for a form with files to arrive, or for a download to be read.
  public var transfer = Duration.seconds(600)

  /// The longest head of a request, its first line included, in bytes.
  package var head = 16_384
  /// The longest first line of a request, in bytes.
  package var line = 4_096
  /// The most headers of a request.
  package var headers = 64
  /// The connections that remain for one short request each while all others are busy.
  package var reserve = 16
  /// The longest time for a short request to arrive.
  package var shortArrival = Duration.seconds(3)

  /// Makes the default limits.
  public init() {}
}
