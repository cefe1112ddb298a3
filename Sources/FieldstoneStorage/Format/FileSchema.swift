public import Foundation

/// The version of what a file holds, and how older versions become it.
///
/// A store with a schema writes an envelope: one line of text, with the version and a checksum of
/// all that follows, before the bytes of the codec. A store without one writes those bytes alone.
public struct FileSchema: Sendable {
  /// The version that is written; older ones are migrated, newer ones are left alone.
  public let version: Int

  /// The version that a file without an envelope has; nil where such a file is corrupt.
  ///
  /// It lets a program that began without a schema take one up.
  public let plainVersion: Int?

  let migrations: [Int: FileMigration]

  /// Makes a schema.
  ///
  /// - Parameters:
  ///   - version: the version that is written.
  ///   - plainVersion: the version of a file without an envelope, where there may be some.
  ///   - migrations: a step from each older version that may still be met to the next one; of two
  ///     from the same version the later counts.
  public init(_ version: Int, plainVersion: Int? = nil, migrations: [FileMigration] = []) {
    self.version = version
    self.plainVersion = plainVersion
    self.migrations = Dictionary(migrations.map { ($0.version, $0) }) { _, later in later }
  }
}

/// A step from one version of a schema to the next.
///
/// It works on a copy in memory. The file stays as it is until a value is saved, and then a backup
/// of it is made first.
public struct FileMigration: Sendable {
  /// The version that it starts from; it leads to the next one.
  public let version: Int

  let migrate: @Sendable (Data) throws -> Data

  /// Makes a step over the bytes of the codec.
  public init(from version: Int, _ migrate: @escaping @Sendable (Data) throws -> Data) {
    self.version = version
    self.migrate = migrate
  }

  /// Makes a step from an old type to a newer one.
  ///
  /// - Parameters:
  ///   - version: the version that it starts from.
  ///   - old: how the old version was written.
  ///   - new: how the next version is written.
  ///   - transform: gives the newer value.
  public init<Old, New>(
    from version: Int, _ old: FileCodec<Old>, to new: FileCodec<New>,
    _ transform: @escaping @Sendable (Old) throws -> New
  ) {
    self.init(from: version) { data in try new.encode(transform(old.decode(data))) }
  }
}
