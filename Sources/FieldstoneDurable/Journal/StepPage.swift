/// A page of a run's steps, the oldest first.
public struct StepPage: Sendable, Hashable {
  /// The steps.
  public var steps: [StepRecord]
  /// What to give as the sequence to begin after for the next page; nil when it is the last.
  public var next: Int?

  /// Makes a page.
  public init(steps: [StepRecord], next: Int? = nil) {
    self.steps = steps
    self.next = next
  }
}
