import FieldstoneCore

/// A provider of a cached value, then a fresh one: see ``DataProvider/preceded(by:if:)``.
struct MergeProvider<Fresh: DataProvider, First: DataProvider>: DataProvider
where First.Parameters == Fresh.Parameters, First.Output == Fresh.Output {
  private let fresh: Fresh
  private let first: First
  private let isWorthShowing: @Sendable (Fresh.Output) -> Bool

  init(
    _ fresh: Fresh, _ first: First, _ isWorthShowing: @escaping @Sendable (Fresh.Output) -> Bool
  ) {
    self.fresh = fresh
    self.first = first
    self.isWorthShowing = isWorthShowing
  }

  /// Loads with both providers; the fresh output is the result.
  ///
  /// - Throws: the fresh provider's error; `CancellationError` if the task is cancelled.
  @concurrent
  func load(
    _ parameters: Fresh.Parameters, reporting events: LoadEvents<Fresh.Output>
  ) async throws -> Fresh.Output {
    try Task.checkCancellation()
    let channel = LoadChannel(events)
    let merging = Merging(channel: channel, isWorthShowing: isWorthShowing)
    let branches = Branches()
    return try await withTaskCancellationHandler {
      branches.start { [first] in
        let outcome = await first.outcome(
          of: parameters, reporting: LoadEvents(onEarlyValue: { merging.send(.first($0)) }))
        merging.send(.firstEnded(outcome.value))
      }
      branches.start { [fresh] in
        let outcome = await fresh.outcome(
          of: parameters,
          reporting: LoadEvents(
            onProgress: { channel.progress($0) }, onEarlyValue: { merging.send(.fresh($0)) }))
        merging.send(.freshEnded(outcome))
      }
      defer { branches.cancel() }
      return try await channel.value
    } onCancel: {
      channel.cancel()
      branches.cancel()
    }
  }
}

/// Merges the reports of the two providers of one load.
private final class Merging<Output: Sendable>: Sendable {
  indirect enum Event: Sendable {  // Indirect for the same reason as `LoadReport`.
    case first(Output)
    case firstEnded(Output?)
    case fresh(Output)
    case freshEnded(Outcome<Output>)
  }

  private struct State {
    var hasFresh = false
    var hasFirstEnded = false
    var failure: Outcome<Output>?
  }

  private let delivery: SerialDelivery<Event>

  init(
    channel: LoadChannel<Output>, isWorthShowing: @escaping @Sendable (Output) -> Bool
  ) {
    let state = Locked(State())
    delivery = SerialDelivery { event in
      switch event {
      case .first(let value):
        let isOutdated = state.withLock { $0.hasFresh || $0.hasFirstEnded }
        if !isOutdated, isWorthShowing(value) { channel.early(value) }
      case .fresh(let value):
        state.withLock { $0.hasFresh = true }
        channel.early(value)
      case .firstEnded(let value):
        let (failure, isOutdated) = state.withLock { state in
          state.hasFirstEnded = true
          return (state.failure, state.hasFresh)
        }
        if let value, !isOutdated, isWorthShowing(value) { channel.early(value) }
        if let failure { channel.end(with: failure) }
      case .freshEnded(let outcome):
        // A failure waits, so that the first value can be shown; a success makes that value
        // outdated.
        let isOver = state.withLock { state in
          if outcome.value != nil || state.hasFirstEnded { return true }
          state.failure = outcome
          return false
        }
        if isOver { channel.end(with: outcome) }
      }
    }
  }

  func send(_ event: Event) { delivery.send(event) }
}

extension DataProvider {
  /// Shows another provider's value, for example a cached one, until this provider has loaded.
  ///
  /// Both load concurrently. The output of `first` is an early value, unless a fresh value was
  /// reported before. Its failure is dropped. A fresh failure fails the load, and an early value
  /// stays. The failure waits until `first` has ended, so that the early value is always shown.
  /// Progress is that of this provider. Cancelling cancels both.
  ///
  /// ```swift
  /// let users = network.preceded(by: disk) { !$0.isEmpty }
  /// ```
  ///
  /// - Parameters:
  ///   - first: the provider of the early value.
  ///   - isWorthShowing: whether a value of `first` is shown; always unless given.
  public func preceded<First: DataProvider>(
    by first: First, if isWorthShowing: @escaping @Sendable (Output) -> Bool = { _ in true }
  ) -> some DataProvider<Parameters, Output>
  where First.Parameters == Parameters, First.Output == Output {
    MergeProvider(self, first, isWorthShowing)
  }
}
