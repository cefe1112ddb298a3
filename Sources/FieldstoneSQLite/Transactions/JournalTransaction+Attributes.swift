#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  extension JournalTransaction {
    /// Stores a run's attributes for queries.
    func index(_ attributes: [String: RunAttribute], of id: RunID) throws {
      for (name, value) in attributes {
        try execute(
          "INSERT INTO fieldstone_attribute (name, value, run_id) VALUES (?, ?, ?)",
          [name, value.stored, id.description])
      }
    }

    func removeAttributes(of number: Int) throws {
      try execute(
        """
        DELETE FROM fieldstone_attribute \
        WHERE run_id = (SELECT id FROM fieldstone_run WHERE number = ?)
        """, [number])
    }
  }
#endif
