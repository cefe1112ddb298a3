import Harness

/// Waits on the main actor until so much has happened.
@MainActor
final class Countdown {
  private var left = 0
  private var continuation: CheckedContinuation<Void, Never>?

  func wait(for count: Int, _ start: () -> Void) async {
    await withCheckedContinuation {
      left = count
      continuation = $0
      start()
    }
  }

  func tick(_ value: Int = 0) {
    blackHole(value)
    left -= 1
    if left == 0 { continuation.take()?.resume() }
  }
}
