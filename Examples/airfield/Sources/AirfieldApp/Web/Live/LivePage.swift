import Fieldstone
import FieldstoneServing
import Foundation
import Observation
import Synchronization

/// What a live page shows, made of view models: its parts as they should be now; reads are tracked.
typealias LiveFace = @MainActor () -> [Fragment]

/// A page that is shown, and what it was sent last: each event says what has changed since.
@MainActor
final class LivePage {
  private let visitor: Visitor
  private let face: LiveFace
  private let time: TimeSource
  private let change = ChangeFlag()
  private var sent = SentPage()
  private var isGreeted = false
  private weak var stream: EventStream?

  private init(visitor: Visitor, face: @escaping LiveFace, time: TimeSource) {
    self.visitor = visitor
    self.face = face
    self.time = time
    visitor.streams += 1
  }

  static func events(
    visitor: Visitor, face: @escaping LiveFace, heartbeat: Duration, time: TimeSource
  ) -> EventStream {
    let page = LivePage(visitor: visitor, face: face, time: time)
    let stream = EventStream(
      heartbeat: heartbeat, time: time, event: { await page.event() },
      onClose: { await page.close() })
    page.stream = stream
    return stream
  }

  private func close() {
    visitor.streams -= 1
    visitor.lastSeen = time.uptime
  }

  /// What the page needs now; nil for nothing.
  ///
  /// First it is told who the visitor is.
  private func event() -> String? {
    defer { isGreeted = true }
    guard isGreeted else { return json([Patch(op: .hello, html: visitor.id)] + patches()) }
    visitor.lastSeen = time.uptime
    let patches = change.take() ? patches() : []
    return patches.isEmpty ? nil : json(patches)
  }

  private func patches() -> [Patch] {
    let fragments = withObservationTracking {
      face()
    } onChange: { [change, weak stream] in
      change.set()
      stream?.signal()
    }
    return sent.patches(for: fragments)
  }

  private func json(_ patches: [Patch]) -> String? {
    // JSON of our own values can't fail.
    (try? JSONEncoder().encode(patches)).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Whether something has changed, from any thread.
private final class ChangeFlag: Sendable {
  private let flag = Atomic(false)

  func set() { flag.store(true, ordering: .releasing) }

  func take() -> Bool { flag.exchange(false, ordering: .acquiringAndReleasing) }
}
