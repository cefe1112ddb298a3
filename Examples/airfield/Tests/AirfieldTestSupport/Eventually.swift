import Observation

/// Waits until something tracked has become as it should; asks again only when it has changed.
@MainActor
public func eventually(_ isMet: @MainActor () -> Bool) async {
  while true {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    let met = withObservationTracking {
      isMet()
    } onChange: {
      continuation.finish()
    }
    if met || Task.isCancelled { return }
    for await _ in changes {}
  }
}
