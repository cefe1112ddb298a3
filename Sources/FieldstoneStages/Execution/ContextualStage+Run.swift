public import FieldstoneCore
public import Synchronization

extension ContextualStage {
  /// Runs asynchronous stages one at a time, in constant memory.
  @inlinable
  @concurrent
  public static func _run(
    from stage: Self, in context: Context, options: ExecutionOptions<Self>
  ) async throws -> Completion {
    try await runAwaitingEach(from: stage, in: context, options: options)
  }

  /// Runs stages of either kind, and awaits each of them.
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

  /// Does the work of one stage, at its placement and after the options' `beforeStage`.
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

extension SynchronousStage {
  /// Runs the stages in a plain loop, unless the options place them one by one.
  @inlinable
  @concurrent
  public static func _run(
    from stage: Self, in context: Void, options: ExecutionOptions<Self>
  ) async throws -> Completion {
    if options.placement != nil {
      return try await runAwaitingEach(from: stage, in: context, options: options)
    }
    let cancellation = CancellationFlag()
    return try await withTaskCancellationHandler {
      var stage = stage
      while true {
        let pause = try loop(
          from: stage, isCancelled: { _ in cancellation.isSet }, beforeStage: options.beforeStage)
        switch pause {
        case .complete(let completion):
          return completion
        case .wait(let date, let next):
          do {
            try await options.time.sleep(until: date)
          } catch {
            throw CancellationError.inPlace(of: error)
          }
          stage = next
        case .advance(let next):
          stage = next
        }
      }
    } onCancel: {
      cancellation.set()
    }
  }

  /// Runs the stages synchronously, on the calling thread.
  ///
  /// It checks for cancellation of the current task, if there is one, every 256 stages and at the
  /// end.
  ///
  /// - Throws: the error of a stage; `CancellationError` if the current task was cancelled;
  ///   ``StageError/waitsInSynchronousExecution`` if a stage returns a wait.
  @inlinable
  public func execute() throws -> Completion {
    let pause = try Self.loop(
      from: self, isCancelled: { count in count & 0xFF == 0 && Task.isCancelled }, beforeStage: nil)
    guard case .complete(let completion) = pause else {
      throw StageError.waitsInSynchronousExecution
    }
    return completion
  }

  /// Runs until the completion or a wait, which it returns; it never returns an advance.
  ///
  /// `isCancelled` is called before each stage with a running count, and with zero at the end.
  @inlinable
  static func loop(
    from first: Self,
    isCancelled: (UInt) -> Bool,
    beforeStage: (@Sendable (Self) -> Void)?
  ) throws -> Step<Self, Completion> {
    var stage = first
    var count: UInt = 0
    do {
      while true {
        if isCancelled(count) { throw CancellationError() }
        beforeStage?(stage)
        switch try stage.next() {
        case .advance(let next):
          stage = next
        case .complete(let completion):
          if isCancelled(0) { throw CancellationError() }
          return .complete(completion)
        case .wait(let date, let next):
          return .wait(until: date, then: next)
        }
        count &+= 1
      }
    } catch {
      throw CancellationError.inPlace(of: error)
    }
  }
}

/// Whether an execution was cancelled, cheap enough to read before every stage.
///
/// One cancellation handler for a whole run sets it: reading the task each time would cost more
/// than a small stage.
@usableFromInline
final class CancellationFlag: Sendable {
  @usableFromInline let flag = Atomic(false)

  @inlinable
  init() {}

  @inlinable
  var isSet: Bool {
    flag.load(ordering: .relaxed)
  }

  @inlinable
  func set() {
    flag.store(true, ordering: .relaxed)
  }
}
