import Fieldstone
import Foundation
import Observation
import Synchronization

/// The events of one page: what has changed since it was sent something last.
///
/// Nothing is queued. When a change is seen the page is marked, and what it needs is worked out when
/// the client is ready for more: a slow one misses steps and never the end, and costs no memory.
@MainActor
public final class LiveStream: Sendable {
  /// The headers of an answer of events.
  nonisolated static let headers = SiteResponse.common.merging([
    "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store",
  ]) { $1 }

  private let visitor: Visitor
  private let face: any LiveFace
  private let time: TimeSource
  private nonisolated let wakes: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation
  private let change = ChangeFlag()
  private var sent = SentPage()
  private var heart: Task<Void, Never>?
  private var isOpen = true

  init(visitor: Visitor, face: any LiveFace, heartbeat: Duration, time: TimeSource) {
    self.visitor = visitor
    self.face = face
    self.time = time
    (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    visitor.streams += 1
    heart = Task { [wake, time] in
      while (try? await time.sleep(for: heartbeat)) != nil { wake.yield() }
    }
  }

  /// Ends the events; a no-op the second time.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    heart?.cancel()
    wake.finish()
    visitor.streams -= 1
    visitor.lastSeen = time.uptime
  }

  /// The first event: who the visitor is, and all that the page shows.
  func first() -> [UInt8] {
    event([Patch(op: .hello, html: visitor.id)] + patches())
  }

  /// What the page needs now: an event, or the sign that we are alive.
  func next() -> [UInt8] {
    visitor.lastSeen = time.uptime
    let patches = change.take() ? patches() : []
    return patches.isEmpty ? Array(": alive\n\n".utf8) : event(patches)
  }

  fileprivate nonisolated var signals: AsyncStream<Void> { wakes }

  private func patches() -> [Patch] {
    let fragments = withObservationTracking {
      face.fragments()
    } onChange: { [change, wake] in
      change.set()
      wake.yield()
    }
    return sent.patches(for: fragments)
  }

  private func event(_ patches: [Patch]) -> [UInt8] {
    // JSON of our own values can't fail, and has no line break outside its texts' escapes.
    guard let data = try? JSONEncoder().encode(patches) else { return [] }
    return Array("data: ".utf8) + data + Array("\n\n".utf8)
  }
}

extension LiveStream: AsyncSequence {
  /// The events as they are sent.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let stream: LiveStream
    var signals: AsyncStream<Void>.Iterator
    var hasBegun = false

    /// The next event; nil at the end.
    public mutating func next() async -> [UInt8]? {
      guard hasBegun else {
        hasBegun = true
        return await stream.first()
      }
      guard await signals.next(isolation: #isolation) != nil else { return nil }
      return await stream.next()
    }
  }

  /// Begins to wait for events; to be done once.
  public nonisolated func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(stream: self, signals: signals.makeAsyncIterator())
  }
}

/// Whether something has changed, from any thread.
private final class ChangeFlag: Sendable {
  private let flag = Atomic(false)

  func set() { flag.store(true, ordering: .releasing) }

  func take() -> Bool { flag.exchange(false, ordering: .acquiringAndReleasing) }
}
