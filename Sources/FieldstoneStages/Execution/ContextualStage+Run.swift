public import FieldstoneCore

extension ContextualStage {
  /// Runs asynchronous stages one after the other, in constant memory.
  @inlinable
  @concurrent
  public static func run(
    from stage: Self, in context: Context, options: ExecutionOptions<Self>
  ) async throws -> Completion {
    try await runAwaitingEach(from: stage, in: context, options: options)
  }

  /// Runs stages of either kind, awaiting each of them.
  @inlinable
  static func runAwaitingEach(
    from stage: Self, in context: Context, options: ExecutionOptions<Self>
  ) async throws -> Completion {
    let cancellation = CancellationFlag()
    return try await withTaskCancellationHandler {
      var stage = stage
      do {
        while true {
          if cancellation.isSet { throw CancellationError() }
          switch try await step(from: stage, in: context, options: options) {
          case .advance(let next):
            stage = next
          case .complete(let completion):
            if cancellation.isSet { throw CancellationError() }
            return completion
          case .wait(let date, let next):
            try await options.time.sleep(until: date)
            stage = next
          }
        }
      } catch {
        throw CancellationError.inPlace(of: error)
      }
    } onCancel: {
      cancellation.set()
    }
  }

  /// One stage's work, watched and placed as the options say.
  @inlinable
  static func step(
    from stage: Self, in context: Context, options: ExecutionOptions<Self>
  ) async throws -> Step<Self, Completion> {
    guard let placement = options.placement?(stage), !placement.isAutomatic else {
      options.beforeStage?(stage)
      return try await stage.next(in: context)
    }
    return try await placement.run {
      options.beforeStage?(stage)
      return try await stage.next(in: context)
    }
  }
}
