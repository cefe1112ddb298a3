/// A stage that a run is to begin with, one of many in a call.
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
  /// No two runs of the flow have the same; nil where any number may be started.
  public var key: String?
  /// When the run begins, and which runs go before it.
  public var options: RunOptions

  /// Makes a start.
  public init(_ stage: Work, key: String? = nil, options: RunOptions = RunOptions()) {
    self.stage = stage
    self.key = key
    self.options = options
  }
}
