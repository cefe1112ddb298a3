public import FieldstoneCore

/// A provider with another that runs along: see ``DataProvider/attaching(_:onEnd:)``.
struct AttachProvider<Base: DataProvider, Side: DataProvider>: DataProvider
where Side.Parameters == Base.Parameters {
  private let base: Base
  private let side: Side
  private let onEnd: (@Sendable (Outcome<Side.Output>) -> Void)?

  init(_ base: Base, _ side: Side, _ onEnd: (@Sendable (Outcome<Side.Output>) -> Void)?) {
    self.base = base
    self.side = side
    self.onEnd = onEnd
  }

  /// Loads with the main provider, while the other runs along.
  ///
  /// - Throws: the main provider's error.
  @concurrent
  func load(
    _ parameters: Base.Parameters, reporting events: LoadEvents<Base.Output>
  ) async throws -> Base.Output {
    try Task.checkCancellation()
    let branches = Branches()
    branches.start { [side, onEnd] in
      let outcome = await side.outcome(of: parameters, reporting: LoadEvents())
      onEnd?(outcome)
    }
    return try await withTaskCancellationHandler {
      try await base.load(parameters, reporting: events)
    } onCancel: {
      branches.cancel()
    }
  }
}

extension DataProvider {
  /// Has another provider run along with this one: to warm a cache, to count, to write a copy.
  ///
  /// It can neither fail nor delay the load. It is cancelled with the load; when the load has ended
  /// otherwise, it goes on to its own end. Its reports are dropped.
  ///
  /// - Parameters:
  ///   - side: the provider that runs along, with the same parameters.
  ///   - onEnd: called with the outcome of each of its runs, off the main actor.
  public func attaching<Side: DataProvider>(
    _ side: Side, onEnd: (@Sendable (Outcome<Side.Output>) -> Void)? = nil
  ) -> some DataProvider<Parameters, Output> where Side.Parameters == Parameters {
    AttachProvider(self, side, onEnd)
  }
}
