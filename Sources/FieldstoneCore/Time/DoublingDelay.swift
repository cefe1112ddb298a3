/// A wait that doubles each time, up to a longest one.
package struct DoublingDelay: Sendable, Hashable {
  private let longest: Duration

  /// The next wait.
  private var current: Duration

  /// Begins with the first wait; one below zero is none.
  package init(first: Duration, longest: Duration) {
    self.longest = max(.zero, longest)
    current = min(max(.zero, first), self.longest)
  }

  /// Gives the wait, and doubles the one after it.
  package mutating func next() -> Duration {
    defer {
      // Not above half of the longest, which could overflow.
      current = current > longest / 2 ? longest : current * 2
    }
    return current
  }

  /// The wait after so many failures, from 1 on, in O(log) of the longest wait over the first.
  package static func wait(
    after failures: Int, first: Duration, longest: Duration
  ) -> Duration {
    var delay = DoublingDelay(first: first, longest: longest)
    var rest = failures - 1
    while rest > 0, delay.current > .zero, delay.current < delay.longest {
      _ = delay.next()
      rest -= 1
    }
    return delay.current
  }
}
