public import FieldstoneCore

extension ContextualStage {
  /// Executes this stage and all that follow it, off the main actor.
  ///
  /// The work runs in a separate task, with the current task's task-local values, at the priority
  /// of the options. Cancelling the current task cancels it, between stages and inside them; a
  /// stage's later result or error is dropped. Memory is constant for any number of stages.
  ///
  /// - Throws: the error of a stage, or `CancellationError` if the current task was cancelled.
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

  // A separate function instead of a default argument, so that an existential stage has it, too.
  /// Executes this stage and all that follow it, off the main actor and with the default options.
  ///
  /// - Throws: the errors of ``execute(in:options:)``.
  @inlinable
  @concurrent
  public func execute(in context: Context) async throws -> Completion {
    try await execute(in: context, options: ExecutionOptions())
  }

  /// Executes this stage and all that follow it, and calls a handler with the result.
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
  ///   - options: the options of the execution.
  ///   - handler: called exactly once, at the options' `completionPlacement`. If that is
  ///     `.anywhere` and the execution is cancelled, `cancel()` calls it before it returns.
  ///     `useResult` returns the completion, or throws the error of any stage, or
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
          // `get()` would read the cancellation of the current task, which may be the canceller.
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
  /// See ``execute(in:options:)``; this form is for stages without services.
  ///
  /// - Throws: the error of a stage, or `CancellationError` if the current task was cancelled.
  @inlinable
  @concurrent
  public func execute(options: ExecutionOptions<Self>) async throws -> Completion {
    try await execute(in: (), options: options)
  }

  /// Executes this stage and all that follow it, off the main actor and with the default options.
  ///
  /// - Throws: the errors of ``execute(in:options:)``.
  @inlinable
  @concurrent
  public func execute() async throws -> Completion {
    try await execute(in: (), options: ExecutionOptions())
  }

  /// Executes this stage and all that follow it, and calls a handler with the result.
  ///
  /// See ``execute(in:options:_:)``; this form is for stages without services.
  @discardableResult
  public func execute(
    options: ExecutionOptions<Self> = ExecutionOptions(),
    _ handler: @escaping @Sendable (_ useResult: () throws -> Completion) -> Void
  ) -> StageExecution<Completion> {
    execute(in: (), options: options, handler)
  }
}
