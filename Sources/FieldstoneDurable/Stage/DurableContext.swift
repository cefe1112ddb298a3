import FieldstoneCore
public import Foundation

/// The context of a durable stage: the app's services, the run's identity, the received signal.
public struct DurableContext<Services: Sendable>: Sendable {
  /// The app's services.
  public let services: Services
  /// Names the run.
  public let run: RunID
  /// The number of the stage in the run's chain; the first is 0.
  public let sequence: Int
  /// How many attempts at this stage have begun, this one included, and those that crashes ended.
  public let attempt: Int
  /// The wall time at which this attempt began.
  public let now: Date
  /// The signal that the stage before has waited for; nil when time ran out or none was awaited.
  public let signal: SignalRecord?
  let writes: CheckpointWrites

  init(
    services: Services, run: RunID, sequence: Int, attempt: Int, now: Date, signal: SignalRecord?
  ) {
    self.services = services
    self.run = run
    self.sequence = sequence
    self.attempt = attempt
    self.now = now
    self.signal = signal
    writes = CheckpointWrites()
  }

  /// The same for every attempt at this stage of this run, and for no other.
  ///
  /// Give it to whatever has an effect outside, so that what is done again is not done twice.
  public var idempotencyKey: String { "\(run)-\(sequence)" }

  /// What the signal says.
  ///
  /// - Throws: `DecodingError` when it says something else.
  public func signal<Value: Decodable>(as type: Value.Type) throws -> Value? {
    try signal.map { try JSONDecoder().decode(type, from: $0.payload) }
  }

  /// Writes in the transaction of this stage's checkpoint: with it or not at all.
  ///
  /// A journal gives this a form of its own, with its own type of transaction. What an attempt
  /// wanted to write that then fails is forgotten.
  public func atCheckpoint(_ write: CheckpointWrite) {
    writes.add(write)
  }
}
