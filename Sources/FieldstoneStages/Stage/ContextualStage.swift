/// A stage of work that needs something from outside: a database, a client, a clock.
///
/// What travels in the stage is state, and can be stored and sent; what travels in the context is
/// a service, and stays where it is. A stage that needs no services is a ``Stage``.
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
  /// What comes out at the end; an enum where there are several outcomes.
  associatedtype Completion: Sendable

  /// The services that the stages work with.
  associatedtype Context: Sendable

  /// Does the work of this stage and tells what follows.
  ///
  /// It runs off the main actor. It may be called again for the same stage after an interruption.
  ///
  /// - Throws: any error, which ends the execution and reaches the one place that awaits it.
  @concurrent func next(in context: Context) async throws -> Step<Self, Completion>

  /// Runs stages from one of them to the completion; `execute` calls it.
  ///
  /// It is a requirement so that a ``SynchronousStage`` brings its plain loop along into generic
  /// code. Do not implement it.
  @concurrent static func run(
    from stage: Self, in context: Context, options: ExecutionOptions<Self>
  ) async throws -> Completion
}
