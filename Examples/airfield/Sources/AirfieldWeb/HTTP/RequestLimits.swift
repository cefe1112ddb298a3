/// How much a client may send and hold, and how long it may take.
public struct RequestLimits: Sendable, Equatable {
  /// The longest head, request line included, in bytes.
  public var head = 16_384

  /// The longest request line, in bytes.
  public var line = 4_096

  /// How many headers there may be.
  public var headers = 64

  /// The longest body, in bytes, files aside.
  public var body = 262_144

  /// How much is read of a form with a file that was refused, so that a browser gets to the answer.
  public var refused = 268_435_456

  /// How many connections there may be at once.
  public var connections = 512

  /// How many streams of events there may be at once.
  public var streams = 256

  /// How many files there may be at once that are read while they are sent.
  public var downloads = 8

  /// How many visitors are remembered at once.
  public var visitors = 2_000

  /// How many airports a page that comes back is shown at once, at most; more come as it is scrolled.
  public var shown = 2_000

  /// How long a request may take to arrive from its first byte on.
  public var arrival = Duration.seconds(10)

  /// How long a file may take to arrive; each piece of it may take as long as a request.
  public var upload = Duration.seconds(600)

  /// How long a file may take to be sent; each piece of it may take as long as an answer.
  public var download = Duration.seconds(600)

  /// How long a connection may say nothing between two requests.
  public var silence = Duration.seconds(60)

  /// How long a client may take to read an answer, or an event.
  public var reading = Duration.seconds(30)

  /// How long a visitor without a stream is remembered.
  public var absence = Duration.seconds(90)

  /// How long an edit that has begun is remembered while nobody looks at it.
  public var draft = Duration.seconds(3_600)

  /// How often a stream says that it is alive.
  public var heartbeat = Duration.seconds(15)

  /// Makes the limits that hold unless others are set.
  public init() {}
}
