/// A delay that doubles each time, up to a longest one.
package struct DoublingDelay: Sendable, Hashable {
  private let longest: Duration

  /// The next delay.
  private var current: Duration

  /// Starts with the first delay; a negative one counts as zero.
  package init(first: Duration, longest: Duration) {
    self.longest = max(.zero, longest)
    current = min(max(.zero, first), self.longest)
  }

  /// Returns the delay, and doubles the next one.
  package mutating func next() -> Duration {
    defer {
      // Doubling more than half of the longest delay could overflow.
      current = current > longest / 2 ? longest : current * 2
    }
    return current
  }

  /// The delay after a number of failures, from 1 on, in O(log(longest / first)).
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
