/// Works on something in a task of its own while `body` runs, and waits for the end of both.
@MainActor
private func working(
  on run: @escaping @Sendable () async throws -> Void, _ body: () async throws -> Void
) async throws {
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

// Only debug builds can be looked into, and tests are.
#if DEBUG
  @testable import AirfieldApp

  extension DirectoryImports {
    /// Works on imports while `body` runs.
    @MainActor
    public func working(_ body: () async throws -> Void) async throws {
      try await AirfieldTestSupport.working(on: { try await self.run() }, body)
    }
  }

  extension NightlyExports {
    /// Makes exports while `body` runs.
    @MainActor
    public func working(_ body: () async throws -> Void) async throws {
      try await AirfieldTestSupport.working(on: { try await self.run() }, body)
    }
  }
#endif
