import FieldstoneCore
import Foundation

extension StatefulOperation {
  /// Whether the operation fails without running after a dependency has failed, and is cancelled
  /// after one was cancelled; false unless set, as in Foundation.
  ///
  /// It fails with ``StatefulOperationError/dependencyFailed(_:)``, without its handlers of start
  /// and return. The dependencies are read when it is its turn. Of operations of other classes only
  /// the cancellation counts.
  public final var stopsWhenDependencyFails: Bool {
    get { state.withLock { $0.stopsWhenDependencyFails } }
    set { state.withLock { $0.stopsWhenDependencyFails = newValue } }
  }

  /// The outcome that its dependencies impose, or nil when it can run.
  func outcomeOfDependencies() -> ErasedOutcome? {
    for dependency in dependencies {
      if let dependency = dependency as? any OperationEnding {
        switch dependency.ending {
        case .failure(let error as StatefulOperationError):
          if case .dependencyFailed = error { return .failure(error) }
          return .failure(StatefulOperationError.dependencyFailed(error))
        case .failure(let error): return .failure(StatefulOperationError.dependencyFailed(error))
        case .cancelled(let reason): return .cancelled(reason)
        case .success, nil: continue
        }
      } else if dependency.isCancelled {
        return .cancelled(.caller)
      }
    }
    return nil
  }

  /// Lets go of the dependencies.
  ///
  /// On Linux each keeps unretained pointers to what depends on it until it has finished: one that
  /// finishes after this operation was released would crash. It also keeps a long line of
  /// operations from being held by its last, and from being released one inside the other. (The
  /// queue looks through all its operations when one loses a dependency, unless that one has
  /// finished for the queue.)
  func forgetDependencies(where isMeant: (Operation) -> Bool = { _ in true }) {
    for dependency in dependencies where isMeant(dependency) { removeForGood(dependency) }
    replaceWatch(with: nil)
  }
}

// MARK: Removed dependencies

// Foundation on Linux counts what an operation still waits for, and miscounts: a dependency that is
// removed before it has finished stays counted, so that the operation would never be ready; one
// that is removed from a cancelled operation after it has finished is counted off twice. Where that
// can have happened the dependencies themselves are asked, and watched, as the count does not tell
// when the last has finished. (A barrier of the queue is not among them.)
extension StatefulOperation {
  var hasMiscount: Bool { state.withLock { $0.hasMiscount } }

  var isReadyDespiteMiscount: Bool {
    let (hasMiscount, hasEnded) = state.withLock { ($0.hasMiscount, !$0.isPending) }
    return hasMiscount && (hasEnded || dependencies.allSatisfy(\.isFinished))
  }

  func noteMiscount(removing operation: Operation) {
    #if !canImport(ObjectiveC)
      guard dependencies.contains(where: { $0 === operation }) else { return }
      if !operation.isFinished || isCancelled { state.withLock { $0.hasMiscount = true } }
    #endif
  }

  func watchDependencies() {
    let unfinished = dependencies.filter { !$0.isFinished }
    guard !unfinished.isEmpty else { return replaceWatch(with: nil) }
    let watch = BlockOperation { [weak self] in
      self?.willChangeValue(forKey: "isReady")
      self?.didChangeValue(forKey: "isReady")
    }
    for operation in unfinished { watch.addDependency(operation) }
    OperationQueue().addOperation(watch)
    replaceWatch(with: watch)
  }

  private func replaceWatch(with watch: Operation?) {
    let before = state.withLock { state in
      defer { state.watch = watch }
      return state.watch
    }
    // As everything that depends on others, it must not be released while they have pointers to it.
    for dependency in before?.dependencies ?? [] { before?.removeDependency(dependency) }
    before?.cancel()
  }
}

/// How an operation of any output has ended.
protocol OperationEnding: AnyObject {
  var ending: ErasedOutcome? { get }
}

extension StatefulOperation: OperationEnding {
  var ending: ErasedOutcome? { state.withLock { $0.life.outcome } }
}
