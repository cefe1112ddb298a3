#if SQLite
  public import FieldstoneDurable

  /// The options of a journal in a SQLite database.
  public struct SQLiteJournalOptions: Sendable, Hashable {
    /// The crashes that a committed write survives; no effect with
    /// ``SQLiteJournal/init(in:options:time:)``, where the app's connection decides.
    public var durability: SQLiteDurability
    /// The maximum size of a stage, a completion or a signal, in bytes.
    public var limits: PayloadLimits
    /// The time that a write waits for other processes before it throws `JournalError.unavailable`.
    public var busyTimeout: Duration
    /// Whether the journal may be added to a database that holds other tables.
    ///
    /// If false, such a file counts as a wrong path and is refused.
    public var joinsOtherTables: Bool
    /// The maximum number of concurrent reads, at least one; no effect with
    /// ``SQLiteJournal/init(in:options:time:)``.
    public var maximumReaders: Int
    /// The size in bytes above which the write-ahead log is truncated even if that has to wait for
    /// readers.
    public var logLimit: Int

    /// Makes options; the defaults are the safe ones.
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

  /// The crashes that a committed write survives.
  public enum SQLiteDurability: Sendable, Hashable, CaseIterable {
    /// Survives a crash of the process or the machine, and a loss of power: each commit waits for
    /// the disk.
    case full
    /// Survives a crash of the process, but not of the machine.
    ///
    /// A loss of power may lose the last commits; the remaining journal is consistent.
    case normal

    var pragma: String { self == .full ? "FULL" : "NORMAL" }
  }
#endif
