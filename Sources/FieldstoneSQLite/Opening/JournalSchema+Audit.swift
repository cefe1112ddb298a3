#if SQLite
  extension JournalSchema {
    // A fork records the stage that it comes from. Each change by a person or a program inserts a
    // row, whose number is never reused; purges find old rows by their time.
    static let audit = """

      ALTER TABLE fieldstone_run ADD COLUMN origin TEXT;
      ALTER TABLE fieldstone_run ADD COLUMN origin_sequence INTEGER;
      CREATE TABLE fieldstone_audit (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        changed_at REAL NOT NULL,
        actor TEXT,
        action TEXT NOT NULL,
        kind INTEGER NOT NULL,
        flow TEXT NOT NULL,
        name TEXT NOT NULL,
        old_value BLOB,
        new_value BLOB
      ) STRICT;
      CREATE INDEX fieldstone_audit_subject ON fieldstone_audit (kind, flow, name, number);
      CREATE INDEX fieldstone_audit_time ON fieldstone_audit (changed_at);
      """
  }
#endif
