package import Foundation

/// The number of runs of a flow that may be claimed at a moment, as stored in journals.
package struct TokenBucket: Sendable, Hashable {
  package var tokens: Double
  /// When it was last filled, by the wall clock.
  package var filledAt: Date

  /// Makes a bucket from stored values.
  package init(tokens: Double, filledAt: Date) {
    self.tokens = tokens
    self.filledAt = filledAt
  }

  /// Makes a full bucket.
  package init(_ rate: FlowLimits.Rate, at date: Date) {
    self.init(tokens: Double(rate.count), filledAt: date)
  }

  /// Adds the tokens since the last time; a clock that was set back removes none.
  package mutating func fill(by rate: FlowLimits.Rate, at date: Date) {
    let count = Double(rate.count)
    let elapsed = max(0, date.timeIntervalSince(filledAt))
    tokens = min(count, tokens + elapsed * count / (rate.period / .seconds(1)))
    filledAt = date
  }

  /// The number of runs that may be claimed; rounding errors hold none back.
  package var available: Int {
    // A rate of `Int.max` is a number of tokens that no `Int` holds.
    Int(exactly: (tokens + 1e-6).rounded(.down)).map { max(0, $0) } ?? (tokens > 0 ? .max : 0)
  }

  /// When there is a token; nil if there is one.
  package func nextToken(by rate: FlowLimits.Rate) -> Date? {
    guard available == 0 else { return nil }
    return filledAt + (1 - tokens) * (rate.period / .seconds(1)) / Double(rate.count)
  }
}
