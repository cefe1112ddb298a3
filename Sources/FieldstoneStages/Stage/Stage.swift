public import FieldstoneCore

/// Work written as an enum of stages, in which the stage is the whole state.
///
/// A stage leads to another one or is complete; there is nothing else to implement. It can be
/// stored at any point, and execution can start again from any point. (Seed: Grain's
/// `StageProtocol`.)
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
  // Both are stated again, here and in `SynchronousStage`: otherwise the compiler infers them or
  // not, by the order in which it comes to the files.
  /// The result at the end; an enum where there are several outcomes.
  associatedtype Completion
  /// No services.
  associatedtype Context = Void

  /// Does the work of this stage and returns the step that follows.
  ///
  /// It runs off the main actor when Fieldstone calls it.
  ///
  /// - Throws: any error, which ends the execution and reaches the one place that awaits it.
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

/// A stage of work that needs something from outside: a database, a client, a clock.
///
/// The stage holds state, which can be stored and sent. The context holds services, which stay
/// where they are. A stage that needs no services is a ``Stage``.
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
  /// The result at the end; an enum where there are several outcomes.
  associatedtype Completion: Sendable

  /// The services that the stages work with.
  associatedtype Context: Sendable

  /// Does the work of this stage and returns the step that follows.
  ///
  /// It runs off the main actor. It may be called again for the same stage after an interruption.
  ///
  /// - Throws: any error, which ends the execution and reaches the one place that awaits it.
  @concurrent func next(in context: Context) async throws -> Step<Self, Completion>

  /// Runs stages from one of them to the completion; `execute` calls it.
  ///
  /// It is a requirement so that a ``SynchronousStage`` brings its plain loop along into generic
  /// code. Do not implement it.
  @concurrent static func _run(
    from stage: Self, in context: Context, options: ExecutionOptions<Self>
  ) async throws -> Completion
}

/// A stage whose work never suspends, and which therefore runs in a plain loop.
///
/// Give `next()` without `async`, and `execute` picks the loop by itself, also from asynchronous
/// and from generic code. From code that is not asynchronous there is ``execute()``.
public protocol SynchronousStage<Completion>: Stage {
  /// The result at the end; an enum where there are several outcomes.
  associatedtype Completion

  /// Does the work of this stage and returns the step that follows.
  ///
  /// - Throws: any error, which ends the execution.
  func next() throws -> Step<Self, Completion>
}

/// An error of an execution, apart from the work's own.
public enum StageError: DescribedError, Hashable {
  /// A stage wanted to wait, but was executed by code that can't suspend.
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
