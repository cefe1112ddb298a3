public import FieldstoneCore

/// A provider with a side provider: see ``DataProvider/attaching(_:onEnd:)``.
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

  /// Loads with the main provider, concurrently with the side provider.
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
  /// Runs a side provider with each load, for example to warm a cache, to count, or to write a
  /// copy.
  ///
  /// It can neither fail nor delay the load. It is cancelled with the load, but continues to its
  /// own end after the load has ended otherwise. Its reports are dropped.
  ///
  /// - Parameters:
  ///   - side: the side provider, which gets the same parameters.
  ///   - onEnd: called with the outcome of each of its runs, off the main actor.
  public func attaching<Side: DataProvider>(
    _ side: Side, onEnd: (@Sendable (Outcome<Side.Output>) -> Void)? = nil
  ) -> some DataProvider<Parameters, Output> where Side.Parameters == Parameters {
    AttachProvider(self, side, onEnd)
  }
}
