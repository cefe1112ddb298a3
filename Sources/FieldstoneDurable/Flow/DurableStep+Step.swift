import FieldstoneStages

extension DurableStep {
  /// A step of a stage that does not know that it is durable.
  init(_ step: Step<Next, Completion>) {
    switch step {
    case .advance(let next): self = .advance(to: next)
    case .complete(let completion): self = .complete(completion)
    case .wait(let date, let next): self = .wait(until: date, then: next)
    }
  }
}
