#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import GRDB

  /// A flow of so many stages, each of which has an effect outside and one in the journal's database.
  struct Hop: DurableStage, VersionedFlow {
    static let flowName = "hops"
    /// The name of the same flow with limits.
    static let lanes = "lanes"
    /// What the workers on lanes share: few runs at a time, and of each key one after the other.
    static let limits = FlowLimits(runs: 3, counting: .wholeRun, perKey: .init(1))

    var left: Int
    /// How many children the stage before the last one starts and awaits.
    var fork: Int?
    /// The concurrency key of the run, if its turns are written down.
    var lane: String?

    func next(in context: DurableContext<Effects>) async throws -> DurableStep<Self, Int> {
      try note("begin", in: context)
      context.services.beforeWork()
      await context.services.crowd?.bePresent(
        at: context.sequence, attempt: context.attempt)
      await context.services.beHeld?()
      try context.services.add(context.idempotencyKey)
      let key = context.idempotencyKey
      context.atCheckpoint { database in
        try database.execute(sql: "INSERT INTO effect VALUES (?)", arguments: [key])
      }
      try note("end", in: context)
      if let fork, left == 2 {
        let children = try (0..<fork).map { _ in
          try context.child(Hop(left: 1), flow: Self.flowName)
        }
        return .join(children, then: Hop(left: 1, lane: lane))
      }
      return left > 1
        ? .advance(to: Hop(left: left - 1, fork: fork, lane: lane))
        : .complete(context.sequence + 1)
    }

    private func note(_ word: String, in context: DurableContext<Effects>) throws {
      guard let lane else { return }
      try context.services.note("\(word) \(lane) \(context.run) \(context.sequence)")
    }
  }

  /// A file with a line for each effect.
  struct Effects: Sendable {
    let path: String
    let beforeWork: @Sendable () -> Void
    /// Who gathers around work that kills the process, if anybody does.
    var crowd: Crowd?
    /// Holds work until the process is killed.
    var beHeld: (@Sendable () async -> Void)?

    func add(_ line: String) throws {
      try Self.add(line, to: path)
    }

    /// Writes down a turn at a run, beside the effects.
    func note(_ line: String) throws {
      try Self.add(line, to: path + "-turns")
    }

    /// Adds a line to a file, which others may do at the same time.
    static func add(_ line: String, to path: String) throws {
      let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
      guard file >= 0 else { throw CocoaError(.fileWriteUnknown) }
      defer { close(file) }
      // Lines of 64 bytes never cross a page of the file, where a kill could cut a write in two.
      let bytes = Array((line.padding(toLength: 63, withPad: " ", startingAt: 0) + "\n").utf8)
      guard append(file, bytes) else { throw CocoaError(.fileWriteUnknown) }
    }

    private static func append(_ file: Int32, _ bytes: [UInt8]) -> Bool {
      bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) == $0.count }
    }
  }
#endif
