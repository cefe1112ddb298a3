import FieldstoneCore
import Foundation

extension StatefulOperation {
  /// Whether the failure or cancellation of a dependency ends the operation without running it.
  ///
  /// False unless set, as in Foundation. After a failed dependency, it fails with
  /// ``StatefulOperationError/dependencyFailed(_:)``, without its start and return handlers; after
  /// a cancelled one, it is cancelled. The dependencies are checked when the operation is about to
  /// run. For operations of other classes only their cancellation counts.
  public final var stopsWhenDependencyFails: Bool {
    get { state.withLock { $0.stopsWhenDependencyFails } }
    set { state.withLock { $0.stopsWhenDependencyFails = newValue } }
  }

  /// Whether a question for readiness may be due to the end of a dependency, and not to a queue.
  ///
  /// On Apple's systems key-value observation may ask at the end of every dependency, any number of
  /// times. While none of them has finished, only a queue asks.
  var isAskedForDependency: Bool {
    #if canImport(ObjectiveC)
      state.withLock { $0.hasDependencies && $0.isQuestionDue }
        && dependencies.contains(where: \.isFinished)
    #else
      false
    #endif
  }

  /// The outcome imposed by its dependencies, or nil if it can run.
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

  /// Removes the dependencies.
  ///
  /// On Linux each dependency keeps unretained pointers to its dependents until it has finished. If
  /// it finished after this operation was deallocated, it would crash. Removal also prevents the
  /// last operation of a long chain from retaining all others, and their nested deallocation. (When
  /// an operation that has not finished for the queue loses a dependency, the queue searches all
  /// its operations.)
  func forgetDependencies(where isMeant: (Operation) -> Bool = { _ in true }) {
    for dependency in dependencies where isMeant(dependency) { removeForGood(dependency) }
    replaceWatch(with: nil)
  }
}

// MARK: Removed dependencies

// Foundation on Linux counts the dependencies an operation waits for, and miscounts. A dependency
// that is removed before it has finished stays counted, so the operation would never be ready. One
// that is removed from a cancelled operation after it has finished is subtracted twice. After such
// a removal the dependencies themselves are checked and observed, because the count does not tell
// when the last one has finished. (A barrier of the queue is not among them.)
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
    // Its dependencies have unretained pointers to it, so they are removed before its release.
    for dependency in before?.dependencies ?? [] { before?.removeDependency(dependency) }
    before?.cancel()
  }
}

/// The outcome of an operation with any output.
protocol OperationEnding: AnyObject {
  var ending: ErasedOutcome? { get }
}

extension StatefulOperation: OperationEnding {
  var ending: ErasedOutcome? { state.withLock { $0.life.outcome } }
}
