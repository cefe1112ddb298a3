public import FieldstoneCore

/// The options of an execution: its priority, placement, observers and clock. (Seed: Grain's
/// `GCDExecutionCustomizer`.)
///
/// ```swift
/// var options = ExecutionOptions<FileOpen>()
/// options.placement = { stage in
///   if case .read = stage { .queue(readQueue) } else { .automatic }
/// }
/// options.beforeStage = { print("About to perform \($0)") }
/// ```
public struct ExecutionOptions<Work: ContextualStage>: Sendable {
  /// The priority of every stage without a placement; user-initiated unless set.
  public var priority: TaskPriority

  /// The placement of each stage; nil runs all stages in one task.
  ///
  /// Each stage with a placement costs a task.
  public var placement: (@Sendable (Work) -> StagePlacement)?

  /// The executor of a completion handler; unless set, the thread that ends the execution.
  public var completionPlacement: HandlerExecutor

  /// Called before each stage's work, in the same task.
  public var beforeStage: (@Sendable (Work) -> Void)?

  /// The clock of ``Step/wait(until:then:)``.
  public var time: TimeSource

  /// Makes options; the others keep their defaults.
  public init(
    priority: TaskPriority = .userInitiated,
    placement: (@Sendable (Work) -> StagePlacement)? = nil,
    completionPlacement: HandlerExecutor = .anywhere,
    beforeStage: (@Sendable (Work) -> Void)? = nil,
    time: TimeSource = .system
  ) {
    self.priority = priority
    self.placement = placement
    self.completionPlacement = completionPlacement
    self.beforeStage = beforeStage
    self.time = time
  }
}
