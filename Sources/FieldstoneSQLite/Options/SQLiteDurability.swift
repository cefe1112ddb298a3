#if SQLite
  /// What an answered write survives.
  public enum SQLiteDurability: String, Sendable, Hashable, CaseIterable {
    /// A crash of the process and of the machine, also a loss of power: each commit waits for the
    /// disk.
    case full
    /// A crash of the process, not of the machine: what was committed last may be gone after a loss
    /// of power, though what is there is whole.
    case normal

    var pragma: String { self == .full ? "FULL" : "NORMAL" }
  }
#endif
