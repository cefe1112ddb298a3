import Foundation

/// What tells one content of a file from another.
///
/// Hashes are of this process only; a digest is never stored.
enum ContentDigest: Sendable, Hashable {
  case missing(isSetAside: Bool)
  case bytes(count: Int, hash: Int, checksum: UInt32)
  case unreadable(FileStoreError.Code, errorNumber: Int32?)

  init(_ data: Data) {
    var hasher = Hasher()
    data.withUnsafeBytes { hasher.combine(bytes: $0) }
    self = .bytes(
      count: data.count, hash: hasher.finalize(), checksum: CRC32C.checksum(data))
  }
}
