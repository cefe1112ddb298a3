/// A stage that a run begins with, one of many in a call.
///
/// ```swift
/// let orders = carts.map { StageStart(Order.charge($0), key: $0.number) }
/// for answer in try await runner.start(all: orders) {
///   if case .failure(let error) = answer { report(error) }
/// }
/// ```
public struct StageStart<Work: Sendable>: Sendable {
  /// Where the run begins.
  public var stage: Work
  /// Unique among the flow's runs; nil to start any number.
  public var key: String?
  /// When the run begins, and its priority.
  public var options: RunOptions

  /// Makes a start.
  public init(_ stage: Work, key: String? = nil, options: RunOptions = RunOptions()) {
    self.stage = stage
    self.key = key
    self.options = options
  }
}
