import Foundation

/// Threads that really run side by side, which tasks on few cores need not.
final class Crew: Sendable {
  private let group = DispatchGroup()

  /// Starts so many threads; each gets its number.
  init(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
    for number in 0..<count {
      group.enter()
      let thread = Thread { [group] in
        work(number)
        group.leave()
      }
      thread.start()
    }
  }

  /// Waits until all have finished.
  func wait() { group.wait() }
}
