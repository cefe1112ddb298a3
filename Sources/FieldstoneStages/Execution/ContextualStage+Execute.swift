public import FieldstoneCore

extension ContextualStage {
  /// Executes this stage and all that follow it, off the main actor.
  ///
  /// The work runs in a task of its own, with the current task's task-local values, at the priority
  /// of the options. Cancelling the current task cancels it, between stages and inside them; a
  /// stage's later result or error is dropped. Memory stays constant however many stages there are.
  ///
  /// - Throws: the error of a stage, or `CancellationError` when the current task was cancelled.
  @inlinable
  @concurrent
  public func execute(
    in context: Context, options: ExecutionOptions<Self>
  ) async throws -> Completion {
    let trace = ActivityTrace.begin(.stageExecution, named: Self.self)
    do {
      let completion = try await StagePlacement.priority(options.priority).run {
        try await Self._run(from: self, in: context, options: options)
      }
      trace?.succeed()
      return completion
    } catch {
      trace?.fail(with: error)
      throw error
    }
  }

  // Apart from the form with options, so that an existential stage has it too.
  /// Executes this stage and all that follow it, off the main actor and with the usual options.
  ///
  /// - Throws: as ``execute(in:options:)``.
  @inlinable
  @concurrent
  public func execute(in context: Context) async throws -> Completion {
    try await execute(in: context, options: ExecutionOptions())
  }

  /// Executes this stage and all that follow it, and calls back with the result.
  ///
  /// ```swift
  /// FileOpen.read(url).execute { useResult in
  ///   do {
  ///     show(try useResult())
  ///   } catch {
  ///     show(error)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - context: the services of the stages.
  ///   - options: how they are executed.
  ///   - handler: called exactly once, at the options' `completionPlacement`; where that is
  ///     `.anywhere` and the execution is cancelled, by `cancel()` before it returns. `useResult`
  ///     returns the completion, or throws the error of any stage, or
  ///     ``/FieldstoneCore/CallCancelled``.
  /// - Returns: the execution, to cancel or to await; it need not be kept.
  @discardableResult
  public func execute(
    in context: Context,
    options: ExecutionOptions<Self> = ExecutionOptions(),
    _ handler: @escaping @Sendable (_ useResult: () throws -> Completion) -> Void
  ) -> StageExecution<Completion> {
    let execution = StageExecution<Completion>()
    execution.whenEnded { outcome in
      options.completionPlacement.later {
        handler {
          // The task around a handler is the one that cancelled, and not the cancelled one.
          if case .cancelled(let reason) = outcome { throw CallCancelled(reason) }
          return try outcome.get()
        }
      }
    }
    execution.start(self, in: context, options: options)
    return execution
  }
}

extension ContextualStage where Context == Void {
  /// Executes this stage and all that follow it, off the main actor.
  ///
  /// As ``execute(in:options:)``, for stages that need no services.
  ///
  /// - Throws: the error of a stage, or `CancellationError` when the current task was cancelled.
  @inlinable
  @concurrent
  public func execute(options: ExecutionOptions<Self>) async throws -> Completion {
    try await execute(in: (), options: options)
  }

  /// Executes this stage and all that follow it, off the main actor and with the usual options.
  ///
  /// - Throws: as ``execute(in:options:)``.
  @inlinable
  @concurrent
  public func execute() async throws -> Completion {
    try await execute(in: (), options: ExecutionOptions())
  }

  /// Executes this stage and all that follow it, and calls back with the result.
  ///
  /// As ``execute(in:options:_:)``, for stages that need no services.
  @discardableResult
  public func execute(
    options: ExecutionOptions<Self> = ExecutionOptions(),
    _ handler: @escaping @Sendable (_ useResult: () throws -> Completion) -> Void
  ) -> StageExecution<Completion> {
    execute(in: (), options: options, handler)
  }
}
