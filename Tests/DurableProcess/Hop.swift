#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import GRDB

  /// A flow of so many stages, each of which has an effect outside and one in the journal's database.
  struct Hop: DurableStage, VersionedFlow {
    static let flowName = "hops"

    var left: Int
    /// How many children the stage before the last one starts and awaits.
    var fork: Int?

    func next(in context: DurableContext<Effects>) async throws -> DurableStep<Self, Int> {
      context.services.beforeWork()
      await context.services.crowd?.bePresent(
        at: context.sequence, attempt: context.attempt)
      try context.services.add(context.idempotencyKey)
      let key = context.idempotencyKey
      context.atCheckpoint { database in
        try database.execute(sql: "INSERT INTO effect VALUES (?)", arguments: [key])
      }
      if let fork, left == 2 {
        let children = try (0..<fork).map { _ in try context.child(Hop(left: 1)) }
        return .join(children, then: Hop(left: 1))
      }
      return left > 1
        ? .advance(to: Hop(left: left - 1, fork: fork)) : .complete(context.sequence + 1)
    }
  }

  /// A file with a line for each effect.
  struct Effects: Sendable {
    let path: String
    let beforeWork: @Sendable () -> Void
    /// Who gathers around work that kills the process, if anybody does.
    var crowd: Crowd?

    func add(_ line: String) throws {
      let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
      guard file >= 0 else { throw CocoaError(.fileWriteUnknown) }
      defer { close(file) }
      // Lines of 64 bytes never cross a page of the file, where a kill could cut a write in two.
      let bytes = Array((line.padding(toLength: 63, withPad: " ", startingAt: 0) + "\n").utf8)
      guard append(file, bytes) else { throw CocoaError(.fileWriteUnknown) }
    }

    private func append(_ file: Int32, _ bytes: [UInt8]) -> Bool {
      bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) == $0.count }
    }
  }
#endif
