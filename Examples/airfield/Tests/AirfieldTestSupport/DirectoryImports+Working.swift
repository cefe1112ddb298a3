public import AirfieldDirectory

extension DirectoryImports {
  /// Works on imports while `body` runs.
  @MainActor
  public func working(_ body: () async throws -> Void) async throws {
    let work = Task { try await run() }
    do {
      try await body()
    } catch {
      work.cancel()
      throw error
    }
    work.cancel()
    _ = await work.result
  }
}
