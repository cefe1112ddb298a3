import FieldstoneCore
import FieldstoneDurable
import Foundation

/// A codec for tests: each byte is changed by the number of the key, which goes first.
struct XorCodec: PayloadCodec {
  enum Failure: DescribedError {
    case unknownKey(UInt8)
    case outOfOrder

    var message: String {
      switch self {
      case .unknownKey(let key): "there is no key \(key)"
      case .outOfOrder: "the codec is out of order"
      }
    }
  }

  /// The key that encodes.
  var key: UInt8 = 0x5a
  /// The keys that decode.
  var known: Set<UInt8> = [0x5a]
  /// What can't be encoded.
  var refused: @Sendable (PayloadContext) -> Bool = { _ in false }

  var maximumOverhead: Int { 1 }

  func encode(_ payload: Data, for context: PayloadContext) throws -> Data {
    if refused(context) { throw Failure.outOfOrder }
    return Data([key]) + payload.map { $0 ^ key }
  }

  func decode(_ bytes: Data, for context: PayloadContext) throws -> Data {
    guard let key = bytes.first, known.contains(key) else {
      throw Failure.unknownKey(bytes.first ?? 0)
    }
    return Data(bytes.dropFirst().map { $0 ^ key })
  }
}

extension CodedJournal {
  /// A journal with one of the codecs for tests.
  init(xor base: Base, key: UInt8 = 0x5a, known: Set<UInt8>? = nil, acceptsPlain: Bool = false) {
    self.init(
      base, codec: XorCodec(key: key, known: known ?? [key]), acceptsPlainPayloads: acceptsPlain)
  }
}
