public import Foundation

/// The name of a signal and the type of its value, shared by its senders and receivers.
///
/// ```swift
/// extension SignalName where Value == Approval {
///   static var approved: Self { SignalName("approved", example: Approval(by: "Ada")) }
/// }
///
/// try await run.signal(.approved, Approval(by: person))
/// ```
public struct SignalName<Value: Codable & Sendable>: Sendable {
  /// The name that the run receives by.
  public let name: String
  /// An example value, for people who send the signal by hand.
  public let example: Value

  /// Makes a name.
  public init(_ name: String, example: Value) {
    self.name = name
    self.example = example
  }
}

extension DurableStep {
  /// Wait for a signal of one of these names, at most until a wall time, then continue with another
  /// stage.
  ///
  /// That stage finds the oldest such signal in its context, or none if time ran out.
  ///
  /// ```swift
  /// return .receive(.approved, .rejected, until: deadline, then: .decided)
  ///
  /// if let approval = try context.signal(.approved) { … }
  /// if let rejection = try context.signal(.rejected) { … }
  /// ```
  public static func receive<First, each Other>(
    _ first: SignalName<First>, _ others: repeat SignalName<each Other>, until date: Date? = nil,
    then next: Next
  ) -> Self {
    var names = [first.name]
    repeat names.append((each others).name)
    return .receive(names, until: date, then: next)
  }

  /// Wait for a signal of one of these names, at most until a wall time, then continue with another
  /// stage.
  ///
  /// That stage finds the oldest such signal in its context, or none if time ran out.
  public static func receive(
    _ first: String, _ others: String..., until date: Date? = nil, then next: Next
  ) -> Self {
    .receive([first] + others, until: date, then: next)
  }
}

extension DurableContext {
  /// The value of the signal that the previous stage awaited; nil if there is none by this name.
  ///
  /// - Throws: `DecodingError` if the value has another type.
  public func signal<Value>(_ name: SignalName<Value>) throws -> Value? {
    guard let signal, signal.name.utf8.elementsEqual(name.name.utf8) else { return nil }
    return try self.signal(as: Value.self)
  }

  /// Sends a signal to a run of this journal in the transaction of this stage's checkpoint.
  ///
  /// If the run does not exist or is over, it does not receive the signal, and the attempt fails
  /// with that error.
  ///
  /// - Throws: ``JournalError``, `EncodingError`.
  public func send<Value>(
    _ name: SignalName<Value>, _ value: Value, to run: RunID, id: String? = nil
  ) throws {
    try send(name.name, value, to: run, id: id)
  }
}
