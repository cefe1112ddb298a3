public import Foundation

/// A link in a run's chain: a stage that the run has left.
///
/// Link n is written by the transaction that makes n + 1 the run's sequence, so the links of a run
/// are an unbroken chain 0…n.
public struct StepRecord: Sendable, Hashable, Codable {
  /// How the run left a stage.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Its work was done.
    case done
    /// An operator replaced it by another stage.
    case edited
  }

  /// The number of the stage in the run's chain; the first is 0.
  public var sequence: Int
  /// The fence of the claim that left it.
  public var fence: Int
  /// How the run left it.
  public var kind: Kind
  /// The version of the flow that wrote the stage.
  public var version: Int
  /// The stage as JSON.
  public var payload: Data
  /// The number of attempts that it took, including those that ended in a crash.
  public var attempts: Int
  /// When its last attempt began, by the wall clock.
  public var beganAt: Date
  /// When the run left it, by the wall clock.
  public var endedAt: Date
  /// The worker that left it.
  public var worker: String?
  /// The error of the last failed attempt before the successful one.
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
