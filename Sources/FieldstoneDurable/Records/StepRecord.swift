public import Foundation

/// A link in a run's chain: a stage that was left behind, and how.
///
/// Link n is written by the transaction that makes n + 1 the run's sequence, so the links of a run
/// are an unbroken chain 0…n.
public struct StepRecord: Sendable, Hashable, Codable {
  /// How a stage was left.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Its work was done.
    case done
    /// A person put another stage in its place.
    case edited
  }

  /// The number of the stage in the run's chain; the first is 0.
  public var sequence: Int
  /// The fence under which it was left.
  public var fence: Int
  /// How it was left.
  public var kind: Kind
  /// The version of the flow that wrote the stage.
  public var version: Int
  /// The stage as JSON.
  public var payload: Data
  /// How many attempts it took, those included that ended with a crash.
  public var attempts: Int
  /// When its work began that came to an end, by the wall clock.
  public var beganAt: Date
  /// When it was left, by the wall clock.
  public var endedAt: Date
  /// The worker that left it.
  public var worker: String?
  /// The last error of an attempt before the one that was successful.
  public var error: String?

  /// Makes a record.
  public init(
    sequence: Int, fence: Int, kind: Kind = .done, version: Int, payload: Data, attempts: Int = 1,
    beganAt: Date, endedAt: Date, worker: String? = nil, error: String? = nil
  ) {
    self.sequence = sequence
    self.fence = fence
    self.kind = kind
    self.version = version
    self.payload = payload
    self.attempts = attempts
    self.beganAt = beganAt
    self.endedAt = endedAt
    self.worker = worker
    self.error = error
  }
}
