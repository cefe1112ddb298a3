public import FieldstoneCore

// Handlers are called in the order of these methods, and those of one method in the order in which
// they were given. The operation waits for them. Give them before it is started: one that is given
// later hears what has not been told by then. A cancelled operation tells `onFinish` only.
extension StatefulOperation {
  /// Runs on the main actor when the operation has been started, before its work.
  @discardableResult
  public final func onStart(_ body: @escaping @MainActor () -> Void) -> Self {
    add(.onMain(at: .start) { _ in body() })
  }

  /// Runs on the main actor when the work has come back, with an output or an error.
  @discardableResult
  public final func onReturn(_ body: @escaping @MainActor () -> Void) -> Self {
    add(.onMain(at: .comeback) { _ in body() })
  }

  /// Runs on the main actor when the operation has succeeded.
  @discardableResult
  public final func onSuccess(_ body: @escaping @MainActor (Output) -> Void) -> Self {
    add(.onMain(at: .success) { if case .success(let output as Output) = $0 { body(output) } })
  }

  /// Runs on the main actor when the operation has failed; never for one that was cancelled.
  @discardableResult
  public final func onFail(_ body: @escaping @MainActor (any Error) -> Void) -> Self {
    add(.onMain(at: .failure) { if case .failure(let error) = $0 { body(error) } })
  }

  /// Runs on the main actor exactly once, last, with how the operation ended.
  @discardableResult
  public final func onFinish(_ body: @escaping @MainActor (Outcome<Output>) -> Void) -> Self {
    add(.onMain(at: .finish) { $0.map { body($0.typed()) } })
  }

  private func add(_ handler: OperationHandler) -> Self {
    state.withLock { $0.add(handler) }
    return self
  }
}

// MARK: Elsewhere

extension StatefulOperation {
  /// Runs elsewhere when the operation has been started, before its work.
  @discardableResult
  public final func onStart(
    on executor: HandlerExecutor, _ body: @escaping @Sendable () -> Void
  ) -> Self {
    add(OperationHandler(moment: .start, executor: executor) { _ in body() })
  }

  /// Runs elsewhere when the work has come back, with an output or an error.
  @discardableResult
  public final func onReturn(
    on executor: HandlerExecutor, _ body: @escaping @Sendable () -> Void
  ) -> Self {
    add(OperationHandler(moment: .comeback, executor: executor) { _ in body() })
  }

  /// Runs elsewhere when the operation has succeeded.
  @discardableResult
  public final func onSuccess(
    on executor: HandlerExecutor, _ body: @escaping @Sendable (Output) -> Void
  ) -> Self {
    add(
      OperationHandler(moment: .success, executor: executor) {
        if case .success(let output as Output) = $0 { body(output) }
      })
  }

  /// Runs elsewhere when the operation has failed; never for one that was cancelled.
  @discardableResult
  public final func onFail(
    on executor: HandlerExecutor, _ body: @escaping @Sendable (any Error) -> Void
  ) -> Self {
    add(
      OperationHandler(moment: .failure, executor: executor) {
        if case .failure(let error) = $0 { body(error) }
      })
  }

  /// Runs elsewhere exactly once, last, with how the operation ended.
  @discardableResult
  public final func onFinish(
    on executor: HandlerExecutor, _ body: @escaping @Sendable (Outcome<Output>) -> Void
  ) -> Self {
    add(OperationHandler(moment: .finish, executor: executor) { $0.map { body($0.typed()) } })
  }
}
