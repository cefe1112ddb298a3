import FieldstoneDurable

extension RunHandle {
  /// Lets the run go on where it had come to a halt.
  func goOn() async throws {
    switch try await record.state {
    case .dead, .cancelled, .blocked: try await retry()
    case .ready, .running, .completed: break
    }
  }

  /// Works until the run is over.
  ///
  /// - Parameter follow: what is done besides until then, as telling what others have done.
  func end(
    by runner: DurableRunner, following follow: @escaping @Sendable () async throws -> Void = {}
  ) async throws -> Completion {
    try await withThrowingTaskGroup(of: Completion?.self) { group in
      group.addTask {
        try await runner.run()
        return nil
      }
      group.addTask {
        try await follow()
        return nil
      }
      group.addTask { try await value }
      // The other one is cancelled then, and waited for: nothing is left leased.
      defer { group.cancelAll() }
      while let end = try await group.next() {
        if let end { return end }
      }
      throw CancellationError()
    }
  }
}
