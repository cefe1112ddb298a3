#if SQLite
  import FieldstoneDurable
  import GRDB

  extension JournalTransaction {
    /// The oldest unconsumed signal of one of these names; one index seek per name.
    func oldestSignal(_ names: [String], of number: Int) throws -> SignalRecord? {
      var oldest: (position: Int, signal: SignalRecord)?
      for name in names {
        let sql = """
          SELECT id, payload, sent_at, position FROM fieldstone_signal \
          WHERE run = ? AND name = ? AND consumed_by IS NULL ORDER BY position LIMIT 1
          """
        guard let row = try row(sql, [number, name]) else { continue }
        let position = try row.whole(3)
        if let oldest, oldest.position < position { continue }
        let signal = SignalRecord(
          id: try row.text(0), name: name, payload: try row.bytes(1), sentAt: try row.date(2))
        oldest = (position, signal)
      }
      return oldest?.signal
    }

    /// Whether there is an unconsumed signal of one of these names.
    func hasSignal(_ names: [String], of number: Int) throws -> Bool {
      let sql = "SELECT 1 FROM fieldstone_signal WHERE run = ? AND name = ? AND consumed_by IS NULL"
      return try names.contains { try row(sql, [number, $0]) != nil }
    }
  }
#endif
