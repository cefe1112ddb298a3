import Foundation

extension Journal {
  /// Starts one run after the other, for a journal that can't write many at once.
  public func start(
    _ starts: [RunStart], at time: JournalTime
  ) async -> [Result<RunRecord, any Error>] {
    var answers: [Result<RunRecord, any Error>] = []
    for start in starts { answers.append(await answer(to: start, at: time)) }
    return answers
  }

  /// Starts many runs in batches, each in a transaction of bounded size.
  ///
  /// A start with an invalid name or payload is in no batch. A batch that fails is repeated start
  /// by start, unless the journal is unavailable: then no later start is tried.
  ///
  /// - Parameter write: writes a batch, and returns a result for each of its starts.
  package func start(
    _ starts: [RunStart], at time: JournalTime,
    inBatches write: ([RunStart]) async throws -> [Result<RunRecord, any Error>]
  ) async -> [Result<RunRecord, any Error>] {
    var answers: [Int: Result<RunRecord, any Error>] = [:]
    var rest: [Int] = []
    let limits = limits
    for (place, start) in starts.enumerated() {
      do throws(JournalError) {
        try limits.checkNames(of: start)
        try limits.check(start.payload)
        rest.append(place)
      } catch {
        answers[place] = .failure(error)
      }
    }
    var first = 0
    while first < rest.count {
      var bounds = StartBatch()
      let batch = rest[first...].prefix { bounds.takes(starts[$0]) }
      do {
        let written = try await write(batch.map { starts[$0] })
        for (place, answer) in zip(batch, written) { answers[place] = answer }
      } catch let error as JournalError where error.isTransient {
        for place in rest[first...] { answers[place] = .failure(error) }
        break
      } catch {
        for place in batch { answers[place] = await answer(to: starts[place], at: time) }
      }
      first += batch.count
    }
    return starts.indices.map { answers[$0] ?? .failure(JournalError.unanswered) }
  }

  private func answer(
    to start: RunStart, at time: JournalTime
  ) async -> Result<RunRecord, any Error> {
    do { return .success(try await self.start(start, at: time)) } catch { return .failure(error) }
  }
}

/// The size limits of a transaction of starts, which wait in memory for it.
package struct StartBatch {
  /// Further starts go into the next transaction, so that other writers can run in between.
  package static let largest = 256
  /// Further payloads go into the next transaction, except those of a single start.
  package static let mostBytes = 4 * 1024 * 1024

  private var count = 0
  private var bytes = 0

  package init() {}

  /// Whether there is room for another start.
  package var hasRoom: Bool { count < Self.largest && bytes < Self.mostBytes }

  /// Adds a start, unless it belongs in the next batch; the first always fits.
  package mutating func takes(_ start: RunStart) -> Bool {
    guard count == 0 || (count < Self.largest && bytes + start.payload.count <= Self.mostBytes)
    else { return false }
    add(start)
    return true
  }

  /// Adds a start unconditionally.
  package mutating func add(_ start: RunStart) {
    count += 1
    bytes += start.payload.count
  }
}

/// The turn of a batch of starts among those of a runner.
package enum StartTurn {
  /// Lets the next batch of another call begin; nil in no batch.
  ///
  /// A journal calls it when the rest of its batch waits for somebody else, for example for an app's
  /// transaction that keeps a key. The next batch of the same call waits for all of its results.
  @TaskLocal package static var end: (@Sendable () -> Void)?
}

extension JournalError {
  /// A journal returned fewer results than it was given starts.
  package static var unanswered: Self { .unavailable("the journal gave no answer to this start") }
}
