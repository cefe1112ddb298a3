import Crypto
import FieldstoneDurable
import Foundation

// snippet: durable-vault
/// Encrypts payloads by AES-GCM; the first byte names the key.
struct Vault: PayloadCodec {
  enum Failure: Error { case noKey(UInt8), noNonce }

  /// All keys that may have encrypted something, by their numbers.
  let keys: [UInt8: SymmetricKey]
  /// The number of the key that encrypts.
  let current: UInt8

  // The key's number, a nonce of 12 bytes and a tag of 16.
  let maximumOverhead = 1 + 12 + 16

  func encode(_ payload: Data, for context: PayloadContext) throws -> Data {
    guard let key = keys[current] else { throw Failure.noKey(current) }
    let box = try AES.GCM.seal(payload, using: key, authenticating: context.authenticatedData)
    guard let sealed = box.combined else { throw Failure.noNonce }
    return Data([current]) + sealed
  }

  func decode(_ bytes: Data, for context: PayloadContext) throws -> Data {
    guard let number = bytes.first, let key = keys[number] else {
      throw Failure.noKey(bytes.first ?? 0)
    }
    let box = try AES.GCM.SealedBox(combined: bytes.dropFirst())
    return try AES.GCM.open(box, using: key, authenticating: context.authenticatedData)
  }
}
// end
