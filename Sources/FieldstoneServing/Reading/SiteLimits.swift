/// The limits on a client's data, connections and times.
public struct SiteLimits: Sendable, Hashable {
  /// The maximum size of a request's body in bytes, except for forms with files.
  public var body = 262_144
  /// The maximum number of bytes read of a refused form with files, so that a browser shows the
  /// response.
  public var refusedBody = 268_435_456
  /// The maximum number of connections, besides a reserve of 16 for short requests.
  public var connections = 512
  /// The maximum number of event streams.
  public var streams = 256
  /// The longest time for a request to arrive, from its first byte.
  public var arrival = Duration.seconds(10)
  /// The longest idle time of a connection between two requests.
  public var silence = Duration.seconds(60)
  /// The longest time for a client to read a response, an event, or a piece of a download.
  public var reading = Duration.seconds(30)
  /// The longest time for a form with files to arrive, or for a download to be read.
  public var transfer = Duration.seconds(600)

  /// The maximum size of a request's head in bytes, including its first line.
  package var head = 16_384
  /// The maximum size of a request's first line in bytes.
  package var line = 4_096
  /// The maximum number of headers in a request.
  package var headers = 64
  /// The number of connections reserved for one short request each while all others are busy.
  package var reserve = 16
  /// The longest time for a short request to arrive.
  package var shortArrival = Duration.seconds(3)

  /// Makes the default limits.
  public init() {}
}
