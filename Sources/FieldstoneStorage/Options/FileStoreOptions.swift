/// The options of a store.
public struct FileStoreOptions: Sendable, Hashable {
  /// The moment at which a save returns; `durable` by default.
  public var durability: FileDurability

  /// The policy for a save after another writer changed the file; `keepMine` by default.
  public var onConflict: FileConflictPolicy

  /// The policy for a symbolic link at the file's place; `follow` by default.
  public var symbolicLinks: SymbolicLinkPolicy

  /// The policy for a file of another user; `kept` by default.
  public var ownership: FileOwnership

  /// The longest time that a writer waits for the lock; ten seconds by default.
  public var lockTimeout: Duration

  /// The largest size of a file in bytes; one gibibyte by default.
  ///
  /// A value is read into memory as a whole. A larger file is unreadable, and saving a larger value
  /// throws.
  public var sizeLimit: Int

  /// Whether backups exclude the file; false by default.
  ///
  /// Each save applies it, only on Apple's systems. False does not remove the mark from a file that
  /// has it.
  public var isExcludedFromBackup: Bool

  /// Makes options.
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

/// The moment at which a save returns.
public enum FileDurability: Sendable, Hashable, CaseIterable {
  /// After the content and its name are on the medium. A power failure does not undo the save.
  case durable
  /// After all processes see the content.
  ///
  /// A power failure may undo the save or, on some file systems, leave an empty file. A crash of
  /// this process can do neither.
  case fast
}

/// The policy for a save after another writer changed the file.
public enum FileConflictPolicy: Sendable, Hashable, CaseIterable {
  /// The save replaces the other writer's content.
  case keepMine
  /// The save throws ``FileStoreError/Code/changedElsewhere``.
  ///
  /// The store then knows the other writer's content, and the next save replaces it.
  case reload
}

/// The policy for a symbolic link at the file's place.
public enum SymbolicLinkPolicy: Sendable, Hashable, CaseIterable {
  /// Saves and loads use the link's target; the link stays.
  case follow
  /// A save replaces the link with a file; a load reads the link's target.
  case replace
  /// The link is an error.
  case refuse
}

/// The policy for a file that belongs to another user.
public enum FileOwnership: Sendable, Hashable, CaseIterable {
  /// The owner stays, or the save throws ``FileStoreError/Code/owner``.
  case kept
  /// The current user becomes the owner if the old one can't be kept.
  case taken
}
