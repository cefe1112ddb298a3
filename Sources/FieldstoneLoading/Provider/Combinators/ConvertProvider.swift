/// A provider with other parameters: see ``DataProvider/convertingParameters(_:)``.
public struct ConvertProvider<Base: DataProvider, Parameters: Sendable>: DataProvider {
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
  /// - Throws: what the conversion or the provider throws; `CancellationError` when the task is
  ///   cancelled during the conversion.
  @concurrent
  public func load(
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
  ) -> ConvertProvider<Self, New> {
    ConvertProvider(self, convert)
  }
}
