package import Foundation

/// The prefix of encoded payloads; plain JSON never begins with a zero byte.
package enum PayloadEnvelope {
  private static let prefix: [UInt8] = [0, 0x46, 0x53]
  private static let coded: UInt8 = 1
  /// Never stored: a journal returns it in place of a payload that it can't decode.
  private static let unreadable: UInt8 = 0

  /// The number of bytes that an envelope adds.
  package static let overhead = 4

  private static func kind(of payload: Data) -> UInt8? {
    guard payload.first == prefix[0], payload.starts(with: prefix) else { return nil }
    return payload.dropFirst(prefix.count).first
  }

  /// Whether a codec has encoded the payload.
  package static func isCoded(_ payload: Data) -> Bool { kind(of: payload) == coded }

  /// Puts bytes of a codec into an envelope.
  package static func seal(_ bytes: Data) -> Data { Data(prefix + [coded]) + bytes }

  /// The bytes of the codec; nil for a payload that is not encoded.
  package static func content(of payload: Data) -> Data? {
    isCoded(payload) ? Data(payload.dropFirst(overhead)) : nil
  }

  /// The placeholder of a payload that can't be decoded.
  ///
  /// A page or a claim contains it among others, which must not fail with it. ``check(_:)`` throws
  /// the error when the payload is read.
  package static func unreadable(_ error: PayloadError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return Data(prefix + [unreadable]) + ((try? encoder.encode(error)) ?? Data())
  }

  /// Throws for a payload that is not plain.
  ///
  /// - Throws: the error for which it could not be decoded, or `.noCodec`.
  package static func check(_ payload: Data) throws(PayloadError) {
    if kind(of: payload) == nil { return }
    throw error(of: payload) ?? .noCodec
  }

  /// The reason that a payload could not be decoded; nil for any other payload.
  package static func error(of payload: Data) -> PayloadError? {
    guard kind(of: payload) == unreadable else { return nil }
    return try? JSONDecoder().decode(PayloadError.self, from: Data(payload.dropFirst(overhead)))
  }
}
