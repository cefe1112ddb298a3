#if SQLite
  public import FieldstoneDurable

  /// How a journal in a SQLite database works.
  public struct SQLiteJournalOptions: Sendable, Hashable {
    /// What an answered write survives.
    public var durability: SQLiteDurability
    /// How many bytes a stage, a completion or a signal may have.
    public var limits: PayloadLimits
    /// How long a write waits for other processes before it throws `JournalError.unavailable`.
    public var busyTimeout: Duration
    /// Whether the journal may be added to a database that holds other tables.
    ///
    /// Otherwise such a file is taken for a wrong path, and refused.
    public var joinsOtherTables: Bool
    /// How many reads go on at the same time, at least one.
    public var maximumReaders: Int
    /// Above so many bytes the write-ahead log is emptied although readers have to be waited for.
    public var logLimit: Int

    /// Makes options; the safe ones unless told otherwise.
    public init(
      durability: SQLiteDurability = .full, limits: PayloadLimits = PayloadLimits(),
      busyTimeout: Duration = .seconds(5), joinsOtherTables: Bool = false, maximumReaders: Int = 4,
      logLimit: Int = 64 * 1024 * 1024
    ) {
      self.durability = durability
      self.limits = limits
      self.busyTimeout = busyTimeout
      self.joinsOtherTables = joinsOtherTables
      self.maximumReaders = maximumReaders
      self.logLimit = logLimit
    }
  }

  /// What an answered write survives.
  public enum SQLiteDurability: String, Sendable, Hashable, CaseIterable {
    /// A crash of the process and of the machine, also a loss of power: each commit waits for the
    /// disk.
    case full
    /// A crash of the process, not of the machine: after a loss of power the last commits may be
    /// gone. The journal that remains is whole.
    case normal

    var pragma: String { self == .full ? "FULL" : "NORMAL" }
  }
#endif
