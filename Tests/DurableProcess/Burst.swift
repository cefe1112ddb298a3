#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation

  /// Starts very many runs at once, and tells by how much the memory of the process grew.
  enum Burst {
    static func start(_ count: Int, in journal: SQLiteJournal) async throws {
      let effects = Effects(path: journal.path + "-effects", beforeWork: {})
      let runner = try DurableRunner(
        journal: journal, flows: [DurableFlow(Blockage.self, services: effects)])
      // What the first start brings along is not of the burst.
      _ = try await runner.start(Blockage(kind: .suspend, milliseconds: 0))
      let before = memory
      let most = Locked(0)
      try await withThrowingDiscardingTaskGroup { group in
        for number in 0..<count {
          group.addTask {
            _ = try await runner.start(Blockage(kind: .suspend, milliseconds: number))
            if number % 1_000 == 0 { most.withLock { $0 = max($0, memory) } }
          }
        }
        most.withLock { $0 = max($0, memory) }
      }
      say("\(most.withLock { $0 } - before)")
    }

    /// The memory of this process in bytes, where the system tells.
    private static var memory: Int {
      let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
      let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      return pages * Int(getpagesize())
    }
  }
#endif
