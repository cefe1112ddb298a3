#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation

  /// A transaction of an app that has executed a statement and stays open.
  struct HeldTransaction {
    private let ending = DispatchSemaphore(value: 0)
    private let task: Task<Void, any Error>

    /// Returns once the statement is executed.
    init(_ sql: String, _ parameters: [String?] = [], in journal: PostgresJournal) async {
      let begun = Gate()
      task = Task { [ending] in
        // Also if it fails: its end tells the error.
        defer { begun.open() }
        try await journal.write { transaction in
          try transaction.execute(sql, parameters)
          begun.open()
          ending.wait()
        }
      }
      await begun.wait()
    }

    func end() async throws {
      ending.signal()
      try await task.value
    }
  }
#endif
