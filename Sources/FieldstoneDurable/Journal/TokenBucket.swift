package import Foundation

/// How many runs of a flow may be taken up at a moment: a value that journals keep.
package struct TokenBucket: Sendable, Hashable {
  package var tokens: Double
  /// When it was filled to that, by the wall clock.
  package var filledAt: Date

  /// Takes what was stored.
  package init(tokens: Double, filledAt: Date) {
    self.tokens = tokens
    self.filledAt = filledAt
  }

  /// A full one.
  package init(_ rate: FlowLimits.Rate, at date: Date) {
    self.init(tokens: Double(rate.count), filledAt: date)
  }

  /// Lets flow in what has come since; a clock that was set back takes nothing away.
  package mutating func fill(by rate: FlowLimits.Rate, at date: Date) {
    let count = Double(rate.count)
    let elapsed = max(0, date.timeIntervalSince(filledAt))
    tokens = min(count, tokens + elapsed * count / (rate.period / .seconds(1)))
    filledAt = date
  }

  /// How many runs may be taken up; rounding doesn't keep one back.
  package var available: Int { max(0, Int(tokens + 1e-6)) }

  /// When there is a token; nil when there is one.
  package func nextToken(by rate: FlowLimits.Rate) -> Date? {
    guard available == 0 else { return nil }
    return filledAt + (1 - tokens) * (rate.period / .seconds(1)) / Double(rate.count)
  }
}
