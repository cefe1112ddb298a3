public import FieldstoneCore

/// How stages are executed: at which priority, where, and with which observers. (Seed: Grain's
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
  /// The priority of every stage that has no placement of its own; user-initiated unless set.
  public var priority: TaskPriority

  /// Where each stage runs; all of them run as one task when there is none.
  ///
  /// Each stage that has a placement costs a task.
  public var placement: (@Sendable (Work) -> StagePlacement)?

  /// Where the handler of the callback style is called; on the thread that ends the execution unless
  /// set.
  public var completionPlacement: HandlerExecutor

  /// Called before each stage's work, in the task that will do it.
  public var beforeStage: (@Sendable (Work) -> Void)?

  /// The clock of ``Step/wait(until:then:)``.
  public var time: TimeSource

  /// Makes options; what is not named stays as it is by default.
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
