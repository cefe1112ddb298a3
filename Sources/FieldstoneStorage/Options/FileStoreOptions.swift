/// How a store writes.
public struct FileStoreOptions: Sendable, Hashable {
  /// When a save returns; durable unless set.
  public var durability: FileDurability

  /// What happens to a save when another writer changed the file; mine is kept unless set.
  public var onConflict: FileConflictPolicy

  /// What a symbolic link in the place of the file means; it is followed unless set.
  public var symbolicLinks: SymbolicLinkPolicy

  /// What becomes of the owner of a file that belongs to another user; it is kept unless set.
  public var ownership: FileOwnership

  /// How long a writer waits for others that hold the lock; ten seconds unless set.
  public var lockTimeout: Duration

  /// The most bytes that a file may have; a gibibyte unless set.
  ///
  /// A value is read into memory as a whole: a larger file is unreadable, and a larger value is not
  /// saved.
  public var sizeLimit: Int

  /// Whether the file is left out of backups; false unless set.
  ///
  /// It takes effect with each save, on Apple's systems only. A file that is left out already stays
  /// so, whatever this is.
  public var isExcludedFromBackup: Bool

  /// Makes options; each has the default that is named with it.
  public init(
    durability: FileDurability = .durable,
    onConflict: FileConflictPolicy = .keepMine,
    symbolicLinks: SymbolicLinkPolicy = .follow,
    ownership: FileOwnership = .kept,
    lockTimeout: Duration = .seconds(10),
    sizeLimit: Int = 1 << 30,
    isExcludedFromBackup: Bool = false
  ) {
    self.durability = durability
    self.onConflict = onConflict
    self.symbolicLinks = symbolicLinks
    self.ownership = ownership
    self.lockTimeout = lockTimeout
    self.sizeLimit = sizeLimit
    self.isExcludedFromBackup = isExcludedFromBackup
  }
}

/// When a save returns.
public enum FileDurability: Sendable, Hashable, CaseIterable {
  /// Once the content and its name are on the medium: a power failure does not undo it.
  case durable
  /// Once every process sees it: a power failure may undo it or, on some file systems, leave an
  /// empty file; the death of this process does neither.
  case fast
}

/// What happens to a save when the file is not what the store read or wrote last.
public enum FileConflictPolicy: Sendable, Hashable, CaseIterable {
  /// The save takes the place of what others wrote.
  case keepMine
  /// The save throws ``FileStoreError/Code/changedElsewhere`` and the store takes up what others
  /// wrote, so that the next save is one on top of that.
  case reload
}

/// What a symbolic link in the place of the file means.
public enum SymbolicLinkPolicy: Sendable, Hashable, CaseIterable {
  /// The file is what the link leads to; the link stays.
  case follow
  /// A save puts a file in the place of the link; loading reads what the link leads to.
  case replace
  /// The link is an error.
  case refuse
}

/// What becomes of the owner of a file that belongs to another user.
public enum FileOwnership: Sendable, Hashable, CaseIterable {
  /// It stays, or the save throws ``FileStoreError/Code/owner``.
  case kept
  /// It becomes the current user's where it can't be kept.
  case taken
}
