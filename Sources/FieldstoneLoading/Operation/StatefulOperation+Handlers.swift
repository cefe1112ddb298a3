public import FieldstoneCore

// Handlers are called in the order of these methods; those of one method are called in the order in
// which they were added. The operation waits for them. Add handlers before the start: a later one
// only receives the events that are still to come. A cancelled operation calls only `onFinish`.
extension StatefulOperation {
  /// Runs on the main actor after the operation was started, before its work.
  @discardableResult
  public final func onStart(_ body: @escaping @MainActor () -> Void) -> Self {
    add(.onMain(at: .start) { _ in body() })
  }

  /// Runs on the main actor when the work has returned an output or thrown an error.
  @discardableResult
  public final func onReturn(_ body: @escaping @MainActor () -> Void) -> Self {
    add(.onMain(at: .comeback) { _ in body() })
  }

  /// Runs on the main actor when the operation has succeeded.
  @discardableResult
  public final func onSuccess(_ body: @escaping @MainActor (Output) -> Void) -> Self {
    add(.onMain(at: .success) { if case .success(let output as Output) = $0 { body(output) } })
  }

  /// Runs on the main actor when the operation has failed; never for a cancelled one.
  @discardableResult
  public final func onFail(_ body: @escaping @MainActor (any Error) -> Void) -> Self {
    add(.onMain(at: .failure) { if case .failure(let error) = $0 { body(error) } })
  }

  /// Runs on the main actor exactly once, last, with the operation's outcome.
  @discardableResult
  public final func onFinish(_ body: @escaping @MainActor (Outcome<Output>) -> Void) -> Self {
    add(.onMain(at: .finish) { $0.map { body($0.typed()) } })
  }

  private func add(_ handler: OperationHandler) -> Self {
    state.withLock { $0.add(handler) }
    return self
  }
}

// MARK: On other executors

extension StatefulOperation {
  /// Runs on an executor after the operation was started, before its work.
  @discardableResult
  public final func onStart(
    on executor: HandlerExecutor, _ body: @escaping @Sendable () -> Void
  ) -> Self {
    add(OperationHandler(moment: .start, executor: executor) { _ in body() })
  }

  /// Runs on an executor when the work has returned an output or thrown an error.
  @discardableResult
  public final func onReturn(
    on executor: HandlerExecutor, _ body: @escaping @Sendable () -> Void
  ) -> Self {
    add(OperationHandler(moment: .comeback, executor: executor) { _ in body() })
  }

  /// Runs on an executor when the operation has succeeded.
  @discardableResult
  public final func onSuccess(
    on executor: HandlerExecutor, _ body: @escaping @Sendable (Output) -> Void
  ) -> Self {
    add(
      OperationHandler(moment: .success, executor: executor) {
        if case .success(let output as Output) = $0 { body(output) }
      })
  }

  /// Runs on an executor when the operation has failed; never for a cancelled one.
  @discardableResult
  public final func onFail(
    on executor: HandlerExecutor, _ body: @escaping @Sendable (any Error) -> Void
  ) -> Self {
    add(
      OperationHandler(moment: .failure, executor: executor) {
        if case .failure(let error) = $0 { body(error) }
      })
  }

  /// Runs on an executor exactly once, last, with the operation's outcome.
  @discardableResult
  public final func onFinish(
    on executor: HandlerExecutor, _ body: @escaping @Sendable (Outcome<Output>) -> Void
  ) -> Self {
    add(OperationHandler(moment: .finish, executor: executor) { $0.map { body($0.typed()) } })
  }
}
