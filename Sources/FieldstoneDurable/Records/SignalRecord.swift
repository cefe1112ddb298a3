public import Foundation

/// The result of sending a signal.
public enum SignalReceipt: String, Sendable, Hashable, Codable {
  /// The signal is new to the run.
  case sent
  /// The run already has the same signal; nothing changed.
  case alreadySent
}

/// A signal to a run, kept until a checkpoint consumes it.
public struct SignalRecord: Sendable, Hashable, Codable, Identifiable {
  /// Identifies the signal within its run: sending it twice delivers it once.
  public var id: String
  /// The name that the run receives by.
  public var name: String
  /// The signal's value as JSON.
  public var payload: Data
  /// When it was sent, by the wall clock.
  public var sentAt: Date
  /// The name of the person or the program that sends it, for the audit; nil for an app's own code.
  ///
  /// A signal with an actor writes an ``AuditRecord`` in its transaction. The run does not receive
  /// the actor: in a claim it is nil.
  public var actor: String?

  /// Makes a signal.
  public init(id: String, name: String, payload: Data, sentAt: Date, actor: String? = nil) {
    self.id = id
    self.name = name
    self.payload = payload
    self.sentAt = sentAt
    self.actor = actor
  }
}
