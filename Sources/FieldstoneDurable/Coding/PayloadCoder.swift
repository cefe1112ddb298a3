import FieldstoneCore
import Foundation

/// Where the codec decodes a claim.
enum PayloadDecoding {
  /// A queue of its own; nil for the thread of the claim.
  ///
  /// A runner claims on the thread that renews its leases, which must not wait for a codec.
  @TaskLocal static var queue: DispatchQueue?
}

/// Encodes and decodes single payloads with a codec, each bound to its place.
package struct PayloadCoder: Sendable {
  let codec: any PayloadCodec
  /// Whether unencoded payloads are accepted.
  let acceptsPlain: Bool
  /// The limits of plain payloads.
  package let limits: PayloadLimits

  /// - Parameter limits: the limits of the journal that stores the encoded payloads.
  init(codec: any PayloadCodec, acceptsPlain: Bool, within limits: PayloadLimits) {
    self.codec = codec
    self.acceptsPlain = acceptsPlain
    var limits = limits
    // Two names of the largest key size, and some bytes for the rest of the place.
    let key = max(0, limits.key)
    for bytes in [PayloadEnvelope.overhead + 128, key, key, max(0, codec.maximumOverhead)] {
      limits.error = max(0, limits.error - min(limits.error, bytes))
    }
    limits.warning = min(limits.warning, limits.error)
    self.limits = limits
  }

  /// - Throws: `JournalError.tooLarge`, ``PayloadError``.
  func encode(_ payload: Data, for context: PayloadContext) throws -> Data {
    // The placeholder of an undecodable payload must not be encoded like a payload.
    try PayloadEnvelope.check(payload)
    try limits.check(payload)
    return PayloadEnvelope.seal(try bytes(of: payload, for: context))
  }

  /// The payload, or a placeholder if it can't be decoded: one payload must not make others fail.
  func decode(_ payload: Data, for context: PayloadContext) -> Data {
    guard let bytes = PayloadEnvelope.content(of: payload) else {
      return acceptsPlain ? payload : PayloadEnvelope.unreadable(.notEncoded(context))
    }
    do {
      return try self.payload(of: bytes, for: context)
    } catch {
      return PayloadEnvelope.unreadable(
        .undecodable(context, reason: PayloadError.reason(error)))
    }
  }

  private func bytes(of payload: Data, for context: PayloadContext) throws(PayloadError) -> Data {
    do {
      return try codec.encode(Bound.bind(payload, to: context), for: context)
    } catch {
      throw .unencodable(context, reason: PayloadError.reason(error))
    }
  }

  private func payload(of bytes: Data, for context: PayloadContext) throws -> Data {
    try Bound.payload(of: codec.decode(bytes, for: context), at: context)
  }
}

// MARK: Texts

extension PayloadCoder {
  private static let textPrefix = "fieldstone-coded:1:"

  /// Encodes a text as a text, with the number of its stage: a child's error is read without it.
  ///
  /// If it can't be encoded, it is replaced by a text that says so: the run must still be given
  /// back.
  private func encode(text: String, for context: PayloadContext) -> String {
    do throws(PayloadError) {
      let bytes = try bytes(of: Data(text.utf8), for: context)
      return "\(Self.textPrefix)\(context.sequence ?? 0):\(bytes.base64EncodedString())"
    } catch {
      return error.message
    }
  }

  /// The text, or the reason that it can't be decoded; a plain text is returned unchanged.
  ///
  /// - Parameter makeContext: makes the place of the text from its stage's number.
  private func decode(
    text: String, _ makeContext: (_ written: Int) -> PayloadContext
  ) -> String {
    guard text.hasPrefix(Self.textPrefix) else { return text }
    let parts = text.dropFirst(Self.textPrefix.count).split(separator: ":", maxSplits: 1)
    let written = parts.first.flatMap { Int($0) }
    let context = makeContext(written ?? 0)
    guard parts.count == 2, let written, let bytes = Data(base64Encoded: String(parts[1])) else {
      return PayloadError.undecodable(context, reason: "its text is damaged").message
    }
    guard written == context.sequence else {
      return PayloadError.undecodable(context, reason: "it is of stage \(written)").message
    }
    do {
      return String(decoding: try payload(of: bytes, for: context), as: UTF8.self)
    } catch {
      return PayloadError.undecodable(context, reason: PayloadError.reason(error)).message
    }
  }

  func encode(error text: String, of run: RunID, at sequence: Int) -> String {
    encode(text: text, for: .error(run, sequence))
  }

  /// - Parameter sequence: the number of the error's stage; nil if unknown.
  func decode(error text: String?, of run: RunID, at sequence: Int?) -> String? {
    text.map { decode(text: $0) { .error(run, sequence ?? $0) } }
  }

  func encode(_ report: RunReportWrite) -> RunReportWrite {
    var report = report
    for index in report.lines.indices {
      report.lines[index].text = encode(
        text: report.lines[index].text, for: .line(report.lines[index], of: report.run))
    }
    if let progress = report.progress, let text = progress.text {
      report.progress?.text = encode(text: text, for: .progress(progress, of: report.run))
    }
    return report
  }

  func decode(_ report: RunReport, of run: RunID) -> RunReport {
    var report = report
    for index in report.lines.indices {
      let line = report.lines[index]
      report.lines[index].text = decode(text: line.text) { _ in .line(line, of: run) }
    }
    if let progress = report.progress, let text = progress.text {
      report.progress?.text = decode(text: text) { _ in .progress(progress, of: run) }
    }
    return report
  }
}

/// A payload prefixed with its place, as passed to a codec.
///
/// So a moved payload is refused, however the codec uses its context.
private enum Bound {
  /// The reasons that a payload does not belong at its place.
  enum Failure: DescribedError {
    case damaged
    case moved(String)

    var message: String {
      switch self {
      case .damaged: "the decoded bytes are no payload of a journal"
      case .moved(let place):
        "it was moved here from another place: \(place.replacing("\n", with: " "))"
      }
    }
  }

  static func bind(_ payload: Data, to context: PayloadContext) -> Data {
    let place = context.authenticatedData
    let count = UInt32(clamping: place.count)
    return Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }) + place + payload
  }

  static func payload(of bound: Data, at context: PayloadContext) throws(Failure) -> Data {
    guard bound.count >= 4 else { throw .damaged }
    let count = bound.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let rest = bound.dropFirst(4)
    guard count <= rest.count else { throw .damaged }
    let place = rest.prefix(count)
    guard place.elementsEqual(context.authenticatedData) else {
      throw .moved(String(decoding: place.prefix(200), as: UTF8.self))
    }
    return Data(rest.dropFirst(count))
  }
}
