/// What a load has reported and the main actor has not taken yet.
struct CallInbox: Sendable {
  private var events: [CallEvent] = []

  /// Puts an event in.
  ///
  /// - Returns: whether it is the first, so that the caller has to start its delivery.
  mutating func put(_ event: CallEvent) -> Bool {
    if events.count >= 64, case .progress = event, case .progress = events[events.count - 1] {
      events[events.count - 1] = event
    } else {
      events.append(event)
    }
    return events.count == 1
  }

  /// Takes everything out, in order.
  mutating func takeAll() -> [CallEvent] {
    if events.isEmpty { return [] }
    defer { events = [] }
    return events
  }
}
