import Foundation

/// The checksum CRC-32C (Castagnoli), which iSCSI, ext4 and many file formats use.
///
/// It detects every change within 32 consecutive bits, and so every change of one byte.
enum CRC32C {
  /// The polynomial with its bits reversed.
  private static let polynomial: UInt32 = 0x82F6_3B78

  /// Table `k` maps a byte to its effect on the checksum if `k` bytes follow it in its group.
  private static let tables: [[UInt32]] = {
    let first = (0..<256).map { byte in
      (0..<8).reduce(UInt32(byte)) { rest, _ in
        rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ polynomial
      }
    }
    var tables = [first]
    for _ in 1..<8 {
      let last = tables[tables.count - 1]
      tables.append(last.map { $0 >> 8 ^ first[Int($0 & 0xFF)] })
    }
    return tables
  }()

  /// The checksum of bytes, in O(n).
  static func checksum(_ bytes: some ContiguousBytes) -> UInt32 {
    bytes.withUnsafeBytes { ~update(.max, with: $0) }
  }

  private static func update(_ start: UInt32, with bytes: UnsafeRawBufferPointer) -> UInt32 {
    let tables = tables
    var rest = start
    var index = 0
    while index + 8 <= bytes.count {
      let low = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self))
      let high = UInt32(
        littleEndian: bytes.loadUnaligned(fromByteOffset: index + 4, as: UInt32.self))
      let mixed = low ^ rest
      rest = 0
      for byte in 0..<4 {
        rest ^= tables[7 - byte][Int(mixed >> (8 * byte) & 0xFF)]
        rest ^= tables[3 - byte][Int(high >> (8 * byte) & 0xFF)]
      }
      index += 8
    }
    while index < bytes.count {
      rest = rest >> 8 ^ tables[0][Int((rest ^ UInt32(bytes[index])) & 0xFF)]
      index += 1
    }
    return rest
  }
}

/// A digest to compare contents of a file.
///
/// Hashes are valid in this process only; a digest is never stored.
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
