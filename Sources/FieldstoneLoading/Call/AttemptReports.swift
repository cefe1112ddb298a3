import FieldstoneCore

/// What one attempt of several reports, until it has ended.
///
/// The call goes on after a failed attempt: what that one still reports is late.
final class AttemptReports<Value: Sendable>: Sendable {
  private let isOver = Locked(false)
  private let events: LoadEvents<Value>

  init(_ events: LoadEvents<Value>) {
    self.events = events
  }

  var attemptEvents: LoadEvents<Value> {
    LoadEvents(
      onProgress: { progress in
        if !self.hasEnded { self.events.progress(progress) }
      },
      onEarlyValue: { value in
        if !self.hasEnded { self.events.early(value) }
      })
  }

  func end() { isOver.withLock { $0 = true } }

  private var hasEnded: Bool { isOver.withLock { $0 } }
}
