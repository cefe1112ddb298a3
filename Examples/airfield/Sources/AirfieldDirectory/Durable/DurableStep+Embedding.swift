import FieldstoneDurable

extension DurableStep {
  /// The step of a flow that has this one within it.
  ///
  /// - Parameters:
  ///   - stage: makes a stage of the outer flow of one of ours.
  ///   - completion: makes a step of the outer flow of our completion.
  func map<Outer, Result>(
    stage: (Next) -> Outer, completion: (Completion) -> DurableStep<Outer, Result>
  ) -> DurableStep<Outer, Result> {
    switch self {
    case .advance(let next): .advance(to: stage(next))
    case .complete(let end): completion(end)
    case .wait(let date, let next): .wait(until: date, then: stage(next))
    case .receive(let name, let date, let next): .receive(name, until: date, then: stage(next))
    case .join(let children, let policy, let date, let next):
      .join(children, when: policy, until: date, then: stage(next))
    }
  }
}
