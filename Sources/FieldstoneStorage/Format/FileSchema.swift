public import Foundation

/// The version of a file's content, with migrations from older versions.
///
/// A store with a schema writes an envelope before the bytes of the codec: one line of text, with
/// the version and a checksum of the rest. A store without a schema writes those bytes alone.
public struct FileSchema: Sendable {
  /// The version to write; older files are migrated, newer files stay unchanged.
  let version: Int

  /// The version of a file without an envelope; nil if such a file counts as corrupt.
  let plainVersion: Int?

  let migrations: [Int: FileMigration]

  /// Makes a schema.
  ///
  /// - Parameters:
  ///   - version: the version to write.
  ///   - plainVersion: the version of a file without an envelope, for a program that had no schema
  ///     before; by default such a file counts as corrupt.
  ///   - migrations: a migration from each older version to the next one. The later of two
  ///     migrations from the same version counts.
  public init(_ version: Int, plainVersion: Int? = nil, migrations: [FileMigration] = []) {
    self.version = version
    self.plainVersion = plainVersion
    self.migrations = Dictionary(migrations.map { ($0.version, $0) }) { _, later in later }
  }
}

/// A migration from one version of a schema to the next.
///
/// A migration changes a copy in memory. The next save makes a backup of the file, then replaces it.
public struct FileMigration: Sendable {
  /// The version to migrate from.
  let version: Int

  let migrate: @Sendable (Data) throws -> Data

  /// Makes a migration of the codec's bytes.
  public init(from version: Int, _ migrate: @escaping @Sendable (Data) throws -> Data) {
    self.version = version
    self.migrate = migrate
  }

  /// Makes a migration from an old type to a newer one.
  ///
  /// - Parameters:
  ///   - version: the version to migrate from.
  ///   - old: the codec of the old version.
  ///   - new: the codec of the next version.
  ///   - transform: returns the newer value.
  public init<Old, New>(
    from version: Int, _ old: FileCodec<Old>, to new: FileCodec<New>,
    _ transform: @escaping @Sendable (Old) throws -> New
  ) {
    self.init(from: version) { data in try new.encode(transform(old.decode(data))) }
  }
}
