/// A provider whose output is made into another: see ``DataProvider/map(_:)``.
struct MapProvider<Base: DataProvider, Output: Sendable>: DataProvider {
  private let base: Base
  private let transform: @Sendable (Base.Output) throws -> Output

  init(_ base: Base, _ transform: @escaping @Sendable (Base.Output) throws -> Output) {
    self.base = base
    self.transform = transform
  }

  /// Loads, and makes the output into another.
  ///
  /// - Throws: the error of the provider or of the transform.
  @concurrent
  func load(
    _ parameters: Base.Parameters, reporting events: LoadEvents<Output>
  ) async throws -> Output {
    let inner = LoadEvents<Base.Output>(
      onProgress: { events.progress($0) },
      onEarlyValue: { [transform] value in
        // What can't be shown early is not: the final value says whether something is wrong.
        if let value = try? transform(value) { events.early(value) }
      })
    return try transform(try await base.load(parameters, reporting: inner))
  }
}

extension DataProvider {
  /// Makes the output into another one, off the main actor.
  ///
  /// Early values go through the transform, too; one that it throws for is left out. Progress stays
  /// as it is.
  ///
  /// ```swift
  /// let bodies = URLProvider { (name: String) in request(for: name) }.map { $0.body }
  /// ```
  ///
  /// - Parameter transform: makes an output; what it throws is the load's error.
  public func map<New: Sendable>(
    _ transform: @escaping @Sendable (Output) throws -> New
  ) -> some DataProvider<Parameters, New> {
    MapProvider(self, transform)
  }
}

/// A provider with other parameters: see ``DataProvider/convertingParameters(_:)``.
struct ConvertProvider<Base: DataProvider, Parameters: Sendable>: DataProvider {
  private let base: Base
  private let convert: @Sendable (Parameters) async throws -> Base.Parameters

  init(
    _ base: Base, _ convert: @escaping @Sendable (Parameters) async throws -> Base.Parameters
  ) {
    self.base = base
    self.convert = convert
  }

  /// Converts the parameters, and loads with them.
  ///
  /// - Throws: the error of the conversion or of the provider; `CancellationError` when the task is
  ///   cancelled during the conversion.
  @concurrent
  func load(
    _ parameters: Parameters, reporting events: LoadEvents<Base.Output>
  ) async throws -> Base.Output {
    try Task.checkCancellation()
    let converted = try await convert(parameters)
    try Task.checkCancellation()
    return try await base.load(converted, reporting: events)
  }
}

extension DataProvider {
  /// Makes a provider that takes other parameters and converts them.
  ///
  /// Progress and early values stay as they are.
  ///
  /// ```swift
  /// let user = userByID.convertingParameters { (session: Session) in session.userID }
  /// ```
  ///
  /// - Parameter convert: makes the parameters of this provider; what it throws is the load's
  ///   error.
  public func convertingParameters<New: Sendable>(
    _ convert: @escaping @Sendable (New) async throws -> Parameters
  ) -> some DataProvider<New, Output> {
    ConvertProvider(self, convert)
  }
}
