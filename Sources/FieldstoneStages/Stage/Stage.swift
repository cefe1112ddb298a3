public import FieldstoneCore

/// Work written as an enum of stages, in which the stage is the whole state.
///
/// A stage leads to another one or is complete; there is nothing else to implement. It can be
/// stored at any point, and executed again from there. (Seed: Grain's `StageProtocol`.)
///
/// ```swift
/// enum FileOpen: Stage {
///   case read(URL)
///   case parse(Data)
///
///   func next() async throws -> Step<Self, Document> {
///     switch self {
///     case .read(let url): .advance(to: .parse(try Data(contentsOf: url)))
///     case .parse(let data): .complete(try Document(data))
///     }
///   }
/// }
/// let document = try await FileOpen.read(url).execute()
/// ```
public protocol Stage<Completion>: ContextualStage where Context == Void {
  // Both are restated, here and in `SynchronousStage`: otherwise the order of the files decides
  // whether the compiler infers them.
  /// The result of the work; an enum if there are several outcomes.
  associatedtype Completion
  /// No services.
  associatedtype Context = Void

  /// Does the work of this stage and returns the next step.
  ///
  /// It runs off the main actor when Fieldstone calls it.
  ///
  /// - Throws: any error, which ends the execution and is rethrown where the execution is awaited.
  @concurrent func next() async throws -> Step<Self, Completion>
}

extension Stage {
  /// Does the work of this stage; a stage without services has an empty context.
  @inlinable
  @concurrent
  public func next(in context: Void) async throws -> Step<Self, Completion> {
    try await next()
  }
}

/// A stage of work that needs external services, such as a database, a client or a clock.
///
/// The stage holds state, which can be stored and sent. The context holds services, which are not
/// stored. A stage without services is a ``Stage``.
///
/// ```swift
/// enum Import: ContextualStage {
///   case read(URL)
///   case store([Airport])
///
///   func next(in database: Database) async throws -> Step<Self, Int> {
///     switch self {
///     case .read(let url): .advance(to: .store(try Airport.read(url)))
///     case .store(let airports): .complete(try await database.insert(airports))
///     }
///   }
/// }
/// ```
public protocol ContextualStage<Completion>: Sendable {
  /// The result of the work; an enum if there are several outcomes.
  associatedtype Completion: Sendable

  /// The services that the stages use.
  associatedtype Context: Sendable

  /// Does the work of this stage and returns the next step.
  ///
  /// It runs off the main actor. It may be called again for the same stage after an interruption.
  ///
  /// - Throws: any error, which ends the execution and is rethrown where the execution is awaited.
  @concurrent func next(in context: Context) async throws -> Step<Self, Completion>

  /// Runs stages from one of them to the completion; `execute` calls it.
  ///
  /// It is a requirement so that a ``SynchronousStage`` keeps its plain loop in generic code. Do
  /// not implement it.
  @concurrent static func _run(
    from stage: Self, in context: Context, options: ExecutionOptions<Self>
  ) async throws -> Completion
}

/// A stage whose work never suspends, and therefore runs in a plain loop.
///
/// Implement `next()` without `async`; `execute` then uses the loop, also in asynchronous and in
/// generic code. Synchronous code calls ``execute()``.
public protocol SynchronousStage<Completion>: Stage {
  /// The result of the work; an enum if there are several outcomes.
  associatedtype Completion

  /// Does the work of this stage and returns the next step.
  ///
  /// - Throws: any error, which ends the execution.
  func next() throws -> Step<Self, Completion>
}

/// An error of the execution itself, not of its work.
public enum StageError: DescribedError, Hashable {
  /// A stage returned a wait in synchronous code, which can't suspend.
  case waitsInSynchronousExecution

  /// The failure, then the remedy.
  public var message: String {
    switch self {
    case .waitsInSynchronousExecution:
      "A stage wants to wait, which code that is not asynchronous can't do; "
        + "write `try await stage.execute()` in an async function instead."
    }
  }
}
