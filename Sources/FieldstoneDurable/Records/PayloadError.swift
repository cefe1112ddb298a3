public import FieldstoneCore

/// The reason that a payload can't be encoded or decoded; the payload's run stays unchanged.
///
/// A run is *blocked* if its stage or its signal can't be decoded. It continues when a worker
/// starts that can decode it, or when it is retried.
public enum PayloadError: DescribedError, Hashable, Codable {
  /// The payload is encoded, and its journal has no codec.
  case noCodec
  /// The payload is not encoded, and its journal accepts only encoded ones.
  case notEncoded(PayloadContext)
  /// The codec can't decode the payload: it has another key, is damaged, or was moved.
  case undecodable(PayloadContext, reason: String)
  /// The codec can't encode the payload.
  case unencodable(PayloadContext, reason: String)
  /// A start in a transaction might replace the first stage of another run.
  ///
  /// The replaced run is known only in the transaction, after the stage was encoded for the new
  /// run.
  case replacesInTransaction(RunID)

  /// Says what went wrong and what to do next.
  public var message: String {
    switch self {
    case .noCodec:
      "The payload is encoded, and this journal has no codec; open it by CodedJournal with the codec "
        + "that wrote it, then retry the run."
    case .notEncoded(let context):
      "The \(context) is not encoded, and the journal accepts encoded payloads only; let CodedJournal "
        + "accept plain payloads while the journal still has some, then retry the run."
    case .undecodable(let context, let reason):
      "The \(context) can't be decoded (\(reason)); give the codec the key that encoded it, then "
        + "retry the run. If it was damaged or moved from another place, restore a backup or edit the run."
    case .unencodable(let context, let reason):
      "The \(context) can't be encoded (\(reason)); mend the codec or give it its key, and try again."
    case .replacesInTransaction(let id):
      "The start \(id) replaces the stage of a run that is known only within the transaction, so its "
        + "stage can't be encoded for that run; start it by the runner in the work of the stage, or "
        + "give it another TakenKeyPolicy."
    }
  }
}

extension PayloadError {
  /// True for an existing payload that can't be read: another attempt by the same code would fail
  /// too.
  package var isOfReading: Bool {
    switch self {
    case .noCodec, .notEncoded, .undecodable: true
    case .unencodable, .replacesInTransaction: false
    }
  }

  /// The text of a codec's error, cut to fit.
  package static func reason(_ error: any Error) -> String {
    let text = (error as? any DescribedError)?.message ?? String(describing: error)
    return String(text.prefix(500))
  }
}
