public import Foundation

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
