#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    /// The slots that the journal owns; nil if it owns all.
    ///
    /// - Parameter isLocked: whether to lock them until this transaction ends.
    func slots(isLocked: Bool = false) throws -> JournalSlots? {
      let row = try row("SELECT slots FROM journal\(isLocked ? " FOR UPDATE" : "")", [])
      guard let row, !row.isNull(0) else { return nil }
      do { return try JSONDecoder().decode(JournalSlots.self, from: row.bytes(0)) } catch {
        throw JournalError.corrupt("the record of slots can't be read")
      }
    }

    /// Stores new slots, if the stored ones are those that the caller has read.
    func setSlots(from old: JournalSlots?, to new: JournalSlots) throws -> Bool {
      // If there is no record yet, another call may insert the same one.
      guard try slots(isLocked: true) == old else { return false }
      // No run is inserted between the check and the trigger.
      try session.execute("LOCK TABLE run IN SHARE ROW EXCLUSIVE MODE")
      try requireNoOthers(new)
      try keep(new)
      return true
    }

    /// Refuses slots that do not include all runs.
    func requireNoOthers(_ slots: JournalSlots) throws {
      let isForeign = "NOT (\(Self.owned("id", slots.ranges)))"
      if try row("SELECT 1 FROM run WHERE \(isForeign) LIMIT 1", []) != nil {
        throw JournalError.foreignSlot
      }
    }

    /// Stores slots without checking existing runs, and refuses new runs of other slots.
    func keep(_ slots: JournalSlots) throws {
      try execute("UPDATE journal SET slots = $1", [.bytes(try JSONEncoder().encode(slots))])
      try session.execute(
        """
        DROP TRIGGER IF EXISTS slot ON run;
        CREATE OR REPLACE FUNCTION refuse_foreign_slot() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN
          IF current_setting('fieldstone.copying', true) IS DISTINCT FROM 'on' THEN
            RAISE EXCEPTION 'the slot belongs to another journal' USING ERRCODE = '\(JournalError.slot)';
          END IF;
          RETURN NEW;
        END
        $body$;
        CREATE TRIGGER slot BEFORE INSERT ON run FOR EACH ROW
          WHEN (NOT (\(Self.owned("NEW.id", slots.ranges)))) EXECUTE FUNCTION refuse_foreign_slot();
        """)
    }

    /// Whether the slot of an identifier, its bytes 6 and 7, is in some ranges.
    static func owned(_ id: String, _ ranges: [ClosedRange<UInt16>]) -> String {
      let slot = "(get_byte(uuid_send(\(id)), 6) << 8 | get_byte(uuid_send(\(id)), 7))"
      let conditions = ranges.map { "\(slot) BETWEEN \($0.lowerBound) AND \($0.upperBound)" }
      return conditions.isEmpty ? "false" : conditions.joined(separator: " OR ")
    }
  }
#endif
