/// A provider whose output is transformed: see ``DataProvider/map(_:)``.
struct MapProvider<Base: DataProvider, Output: Sendable>: DataProvider {
  private let base: Base
  private let transform: @Sendable (Base.Output) throws -> Output

  init(_ base: Base, _ transform: @escaping @Sendable (Base.Output) throws -> Output) {
    self.base = base
    self.transform = transform
  }

  /// Loads, and transforms the output.
  ///
  /// - Throws: the error of the provider or of the transform.
  @concurrent
  func load(
    _ parameters: Base.Parameters, reporting events: LoadEvents<Output>
  ) async throws -> Output {
    let inner = LoadEvents<Base.Output>(
      onProgress: { events.progress($0) },
      onEarlyValue: { [transform] value in
        // An early value that can't be transformed is dropped; the final value reports the error.
        if let value = try? transform(value) { events.early(value) }
      })
    return try transform(try await base.load(parameters, reporting: inner))
  }
}

extension DataProvider {
  /// Transforms the output off the main actor.
  ///
  /// Early values are transformed, too; one for which the transform throws is dropped. Progress is
  /// passed on.
  ///
  /// ```swift
  /// let bodies = URLProvider { (name: String) in request(for: name) }.map { $0.body }
  /// ```
  ///
  /// - Parameter transform: makes the new output; an error that it throws fails the load.
  public func map<New: Sendable>(
    _ transform: @escaping @Sendable (Output) throws -> New
  ) -> some DataProvider<Parameters, New> {
    MapProvider(self, transform)
  }
}

/// A provider with converted parameters: see ``DataProvider/convertingParameters(_:)``.
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
  /// - Throws: the error of the conversion or of the provider; `CancellationError` if the task is
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
  /// Progress and early values are passed on.
  ///
  /// ```swift
  /// let user = userByID.convertingParameters { (session: Session) in session.userID }
  /// ```
  ///
  /// - Parameter convert: makes the parameters of this provider; an error that it throws fails the
  ///   load.
  public func convertingParameters<New: Sendable>(
    _ convert: @escaping @Sendable (New) async throws -> Parameters
  ) -> some DataProvider<New, Output> {
    ConvertProvider(self, convert)
  }
}
