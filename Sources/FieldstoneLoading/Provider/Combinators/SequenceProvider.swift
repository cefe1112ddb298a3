/// Two providers in sequence: see ``DataProvider/then(_:)``.
struct SequenceProvider<First: DataProvider, Second: DataProvider>: DataProvider
where Second.Parameters == First.Output {
  private let first: First
  private let second: Second

  init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  /// Loads with the first provider, then with the second.
  ///
  /// - Throws: the error of either; `CancellationError` if the task is cancelled between them.
  @concurrent
  func load(
    _ parameters: First.Parameters, reporting events: LoadEvents<Second.Output>
  ) async throws -> Second.Output {
    let link = try await first.loadOnce(
      parameters, reporting: LoadEvents(onProgress: { events.progress($0.half(from: 0)) }))
    try Task.checkCancellation()
    events.progress(.fraction(0.5))
    return try await second.load(
      link,
      reporting: LoadEvents(
        onProgress: { events.progress($0.half(from: 0.5)) },
        onEarlyValue: { events.early($0) }))
  }
}

extension LoadProgress {
  /// This progress, scaled to one half of the whole.
  fileprivate func half(from start: Double) -> LoadProgress {
    switch self {
    case .indeterminate: .indeterminate
    case .fraction(let part): .fraction(start + part / 2)
    }
  }
}

extension DataProvider {
  /// Continues with another provider, whose parameters are this provider's output.
  ///
  /// The second provider does not load if the first fails or the load is cancelled. Each makes half
  /// of the progress. Early values are those of the second: an early value of the first would start
  /// it twice.
  ///
  /// ```swift
  /// let profile = userID.then(profileOfUser)
  /// ```
  public func then<Second: DataProvider>(_ second: Second) -> some DataProvider<
    Parameters, Second.Output
  >
  where Second.Parameters == Output {
    SequenceProvider(self, second)
  }
}
