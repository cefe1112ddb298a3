public import Foundation

/// What a durable stage leads to: what a `Step` can be, or a wait for a signal.
public enum DurableStep<Next, Completion> {
  /// Go on with another stage.
  case advance(to: Next)
  /// All is done, and this came of it.
  case complete(Completion)
  /// Wait until a wall time, then go on with another stage.
  case wait(until: Date, then: Next)
  /// Wait for a signal by its name, at most until a wall time, then go on with another stage.
  ///
  /// That stage finds the signal in its context, or none when time ran out.
  case receive(String, until: Date? = nil, then: Next)
}

extension DurableStep: Sendable where Next: Sendable, Completion: Sendable {}
extension DurableStep: Equatable where Next: Equatable, Completion: Equatable {}
