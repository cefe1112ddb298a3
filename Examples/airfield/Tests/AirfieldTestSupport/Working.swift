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

    /// All rejected rows of the last import as one text; nil where there are none.
    public func rejectsText() async throws -> String? {
      guard let pieces = try await rejects() else { return nil }
      let text = try await pieces.reduce("") { $0 + $1 }
      return text.isEmpty ? nil : text
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
