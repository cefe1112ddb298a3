public import FieldstoneCore

/// The server-sent events of one page, each made when the client can receive it.
///
/// Nothing is queued. A signal marks the stream, and the event is made once the client has read the
/// previous one. A slow client misses intermediate events but never the last one, and costs no
/// memory.
public final class EventStream: Sendable {
  private let make: @Sendable () async -> String?
  private let onClose: @Sendable () async -> Void
  private let wakes: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation
  private let isOpen = Locked(true)
  private let heart: Task<Void, Never>?

  /// Makes a stream, whose first event is made at once.
  ///
  /// - Parameters:
  ///   - heartbeat: the longest time without output; `event` is called then, too. Zero or less for
  ///     no limit.
  ///   - time: the clock of the heartbeat.
  ///   - event: the data of the next event; nil if nothing has changed.
  ///   - onClose: called once, when the stream has ended.
  public init(
    heartbeat: Duration = .seconds(15), time: TimeSource = .system,
    event: @escaping @Sendable () async -> String?,
    onClose: @escaping @Sendable () async -> Void = {}
  ) {
    make = event
    self.onClose = onClose
    (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    wake.yield()
    // Without a time between the beats, they would occupy a thread.
    guard heartbeat > .zero else {
      heart = nil
      return
    }
    heart = Task { [wake] in
      while (try? await time.sleep(for: heartbeat)) != nil { wake.yield() }
    }
  }

  deinit { heart?.cancel() }

  /// Signals that there may be another event; callable from any thread.
  public func signal() {
    wake.yield()
  }

  /// Ends the stream; a no-op if it has ended.
  public func close() async {
    let isFirst = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    guard isFirst else { return }
    heart?.cancel()
    wake.finish()
    await onClose()
  }

  /// The bytes of the next event, or of a heartbeat; nil at the end.
  ///
  /// Only one task may read a stream.
  public func next() async -> [UInt8]? {
    var iterator = wakes.makeAsyncIterator()
    guard await iterator.next(isolation: #isolation) != nil else { return nil }
    guard let data = await make() else { return Array(": alive\n\n".utf8) }
    // The other line ends of Unicode are part of a line.
    let lines = data.split(omittingEmptySubsequences: false) { ["\n", "\r", "\r\n"].contains($0) }
    return Array((lines.map { "data: \($0)\n" }.joined() + "\n").utf8)
  }

  /// The headers of an event stream.
  static let headers = SiteResponse.pageHeaders.merging([
    "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store",
    // Proxies that buffer responses would delay the events.
    "X-Accel-Buffering": "no",
  ]) { $1 }
}
