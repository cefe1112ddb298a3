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

extension DurableRunner {
  /// Calls an import off together with the part that is under way, so that nothing of it is stored once
  /// this has returned.
  ///
  /// The journal cancels the parts, too, before it gives any run to a worker; what a worker has already
  /// it would keep until then.
  func cancel(_ id: RunID) async throws {
    try await handle(id, completion: ImportEnd.self).cancel()
    var place: ChildPlace?
    repeat {
      let page = try await journal.children(of: id, at: nil, after: place, limit: 1_000)
      for part in page.children where part.state == .running {
        try await handle(part.id, completion: ImportPartEnd.self).cancel()
      }
      place = page.next
    } while place != nil
  }
}

extension DurableStep {
  /// The step of a flow that has this one within it.
  func map<Outer, Result>(
    stage: (Next) -> Outer, completion: (Completion) -> DurableStep<Outer, Result>
  ) -> DurableStep<Outer, Result> {
    switch self {
    case .advance(let next): .advance(to: stage(next))
    case .complete(let end): completion(end)
    case .wait(let date, let next): .wait(until: date, then: stage(next))
    case .receive(let name, let date, let next): .receive(name, until: date, then: stage(next))
    case .join(let children, let policy, let date, let next):
      .join(children, when: policy, until: date, then: stage(next))
    }
  }
}

extension FlowOptions {
  /// One run at a time, and each stage once unless it is cut short.
  ///
  /// A crash may come from outside, any number of times; an error is for a person to look at.
  static var oneAtATime: FlowOptions {
    FlowOptions(maxConcurrent: 1, retryPolicy: { _ in .never }, maximumLoneCrashes: 1_000)
  }
}
