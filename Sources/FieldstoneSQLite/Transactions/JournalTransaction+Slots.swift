#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  extension JournalTransaction {
    /// The slots that the journal owns; nil if it owns all.
    func slots() throws -> JournalSlots? {
      guard let row = try row("SELECT slots FROM fieldstone_journal WHERE slots IS NOT NULL") else {
        return nil
      }
      do { return try JSONDecoder().decode(JournalSlots.self, from: row.bytes(0)) } catch {
        throw JournalError.corrupt("the record of slots can't be read")
      }
    }

    /// Stores new slots, if the stored ones are those that the caller has read.
    func setSlots(from old: JournalSlots?, to new: JournalSlots) throws -> Bool {
      guard try slots() == old else { return false }
      try requireNoOthers(new)
      try keep(new)
      return true
    }

    /// Refuses slots that do not include all runs.
    func requireNoOthers(_ slots: JournalSlots) throws {
      let isForeign = "NOT (\(Self.owned("id", slots.ranges)))"
      let sql = "SELECT 1 FROM fieldstone_run WHERE \(isForeign) LIMIT 1"
      if try Row.fetchOne(database, sql: sql) != nil { throw JournalError.foreignSlot }
    }

    /// Stores slots without checking existing runs, and refuses new runs of other slots.
    func keep(_ slots: JournalSlots) throws {
      try execute("UPDATE fieldstone_journal SET slots = ?", [try JSONEncoder().encode(slots)])
      try dropSlotTrigger()
      try database.execute(
        sql: """
          CREATE TRIGGER fieldstone_run_slot BEFORE INSERT ON fieldstone_run \
          WHEN NOT (\(Self.owned("NEW.id", slots.ranges))) \
          BEGIN SELECT RAISE(ABORT, '\(JournalError.slot)'); END
          """)
    }

    func dropSlotTrigger() throws {
      try database.execute(sql: "DROP TRIGGER IF EXISTS fieldstone_run_slot")
    }

    /// Whether the slot of an identifier is in some ranges.
    ///
    /// The slot is in the characters 11 to 14, without the last four bits. The digits sort like
    /// their characters.
    static func owned(_ id: String, _ ranges: [ClosedRange<UInt16>]) -> String {
      func digits(_ slot: UInt16, _ rest: UInt32) -> String {
        let bits = UInt32(slot) << 4 | rest
        let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        let digits = [15, 10, 5, 0].map { (shift: UInt32) -> Character in
          alphabet[Int((bits >> shift) & 31)]
        }
        return String(digits)
      }
      let conditions = ranges.map { range in
        """
        substr(\(id), 11, 4) BETWEEN '\(digits(range.lowerBound, 0))' \
        AND '\(digits(range.upperBound, 15))'
        """
      }
      return conditions.isEmpty ? "0" : conditions.joined(separator: " OR ")
    }
  }
#endif
