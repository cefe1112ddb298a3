public import Foundation

/// The step after a stage: another stage, the completion, or a wait.
///
/// No other cases will ever be added, so a `switch` over a step stays exhaustive.
@frozen
public enum Step<Next, Completion> {
  /// Continue with another stage.
  case advance(to: Next)
  /// Complete the work with this result.
  case complete(Completion)
  /// Wait until a wall time, then continue with another stage.
  case wait(until: Date, then: Next)
}

extension Step: Sendable where Next: Sendable, Completion: Sendable {}
extension Step: Equatable where Next: Equatable, Completion: Equatable {}
extension Step: Hashable where Next: Hashable, Completion: Hashable {}

extension Step {
  /// Embeds the step of one stage type in another. (Seed: Grain's `mapNext`, `map` and `flatMap`.)
  ///
  /// Its stages become stages of the outer type, and its completion becomes a step of it.
  ///
  /// ```swift
  /// case .open(let file, let destination):
  ///   try await file.next().map(
  ///     stage: { .open($0, to: destination) },
  ///     completion: { .advance(to: .upload($0, to: destination)) })
  /// ```
  ///
  /// - Throws: the error of `stage` or `completion`.
  @inlinable
  public func map<OtherNext, OtherCompletion>(
    stage: (Next) throws -> OtherNext,
    completion: (Completion) throws -> Step<OtherNext, OtherCompletion>
  ) rethrows -> Step<OtherNext, OtherCompletion> {
    switch self {
    case .advance(let next): .advance(to: try stage(next))
    case .wait(let date, let next): .wait(until: date, then: try stage(next))
    case .complete(let value): try completion(value)
    }
  }
}
