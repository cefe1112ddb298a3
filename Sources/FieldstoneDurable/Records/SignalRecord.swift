public import Foundation

/// How a journal took a signal.
public enum SignalReceipt: String, Sendable, Hashable, Codable {
  /// The signal is new to the run.
  case sent
  /// The run has had the same signal before, and nothing changed.
  case alreadySent
}

/// A word to a run from outside, kept until a checkpoint consumes it.
public struct SignalRecord: Sendable, Hashable, Codable, Identifiable {
  /// Names the signal within its run: sent again under the same name it is the same signal.
  public var id: String
  /// What the run waits for by.
  public var name: String
  /// What it says, as JSON.
  public var payload: Data
  /// When it was sent, by the wall clock.
  public var sentAt: Date

  /// Makes a signal.
  public init(id: String, name: String, payload: Data, sentAt: Date) {
    self.id = id
    self.name = name
    self.payload = payload
    self.sentAt = sentAt
  }
}
