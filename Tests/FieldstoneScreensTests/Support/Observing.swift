import Observation

/// Waits until a tracked read gives what is looked for.
@MainActor
func observing<Value>(
  _ read: @MainActor () -> Value, until isReached: @MainActor (Value) -> Bool
) async {
  while !isReached(read()) {
    await withCheckedContinuation { continuation in
      withObservationTracking {
        _ = read()
      } onChange: {
        continuation.resume()
      }
    }
  }
}
