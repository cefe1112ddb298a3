public import Foundation

/// Encodes the payloads of a journal: encryption, compression, or both.
///
/// ``CodedJournal`` calls it for each stage, completion, signal, error text and schedule that it
/// writes and reads, on any thread and concurrently. Store the key's number in the encoded bytes,
/// so that keys can be changed:
///
/// ```swift
/// func encode(_ payload: Data, for context: PayloadContext) throws -> Data {
///   let box = try AES.GCM.seal(
///     payload, using: currentKey, authenticating: context.authenticatedData)
///   guard let sealed = box.combined else { throw KeyError.noNonce }
///   return Data([currentNumber]) + sealed
/// }
/// ```
///
/// The journal itself binds each payload to its place, so a codec need not.
public protocol PayloadCodec: Sendable {
  /// The largest number of bytes that encoding adds; 256 by default.
  ///
  /// The limit of payloads is reduced by it.
  var maximumOverhead: Int { get }

  /// Encodes a payload.
  ///
  /// - Parameters:
  ///   - payload: the bytes to store.
  ///   - context: the place of the payload in the journal.
  /// - Throws: any error; then nothing is written.
  func encode(_ payload: Data, for context: PayloadContext) throws -> Data

  /// Decodes bytes that a codec of this kind has encoded, even with an earlier key.
  ///
  /// - Parameters:
  ///   - bytes: the result of ``encode(_:for:)``.
  ///   - context: the place where the bytes were found.
  /// - Throws: any error; then the run stays unchanged.
  func decode(_ bytes: Data, for context: PayloadContext) throws -> Data
}

extension PayloadCodec {
  /// 256 bytes.
  public var maximumOverhead: Int { 256 }
}
