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
  /// What comes out at the end; an enum where there are several outcomes.
  associatedtype Completion
  /// No services.
  associatedtype Context = Void

  /// Does the work of this stage and tells what follows.
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
