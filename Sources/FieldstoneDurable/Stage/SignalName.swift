public import Foundation

/// The name of a signal and the type of what it says, in one place for those that send it and those
/// that receive it.
///
/// ```swift
/// extension SignalName where Value == Approval {
///   static var approved: Self { SignalName("approved", example: Approval(by: "Ada")) }
/// }
///
/// try await run.signal(.approved, Approval(by: person))
/// ```
public struct SignalName<Value: Codable & Sendable>: Sendable {
  /// What the run waits for by.
  public let name: String
  /// A value as one may be, for people who send the signal by hand.
  public let example: Value

  /// Makes a name.
  public init(_ name: String, example: Value) {
    self.name = name
    self.example = example
  }
}

extension DurableStep {
  /// Wait for a signal, at most until a wall time, then go on with another stage.
  ///
  /// That stage finds the signal in its context, or none when time ran out.
  public static func receive<Value>(
    _ signal: SignalName<Value>, until date: Date? = nil, then next: Next
  ) -> Self {
    .receive(signal.name, until: date, then: next)
  }
}

extension DurableContext {
  /// What the signal says that the stage before has waited for; nil when time ran out, or another was
  /// awaited.
  ///
  /// - Throws: `DecodingError` when it says something of another type.
  public func signal<Value>(_ name: SignalName<Value>) throws -> Value? {
    guard let signal, signal.name.utf8.elementsEqual(name.name.utf8) else { return nil }
    return try self.signal(as: Value.self)
  }

  /// Sends a signal to a run of this journal with this stage's checkpoint: it is sent if and only if
  /// that was made.
  ///
  /// A run that is not there, or is over, does not take it: then the attempt has failed with that
  /// error.
  ///
  /// - Throws: ``JournalError``, `EncodingError`.
  public func send<Value>(
    _ name: SignalName<Value>, _ value: Value, to run: RunID, id: String? = nil
  ) throws {
    try send(name.name, value, to: run, id: id)
  }
}
