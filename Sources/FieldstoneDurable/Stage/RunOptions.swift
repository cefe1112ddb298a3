public import Foundation

/// How a run is started: when, in which order, and what becomes of a key that is taken.
///
/// ```swift
/// // At most one reminder a customer, half an hour after the last click.
/// try await runner.start(
///   Reminder.send(customer), key: customer,
///   options: RunOptions(notBefore: .now + 1_800, ifTaken: .replaceUnlessBegun))
/// ```
public struct RunOptions: Sendable, Hashable {
  /// Names the start: repeated with the same identifier it changes nothing.
  ///
  /// Nil for a new one. Keep it with what asks for the run, where an answer may be lost.
  public var id: RunID?

  /// No worker gets the run before this time, by the wall clock; nil for at once.
  public var notBefore: Date?

  /// Of the runs that are due the higher number goes first, then the one that is due longer; 0 unless
  /// given.
  ///
  /// A level counts as much as an hour of waiting: a run of priority 2 goes before one of priority 0,
  /// unless that is due two hours longer. So no run waits for ever behind higher ones. At most a
  /// thousand levels above and below 0 count.
  public var priority: Int

  /// What becomes of the start when the flow has a run with this key.
  public var ifTaken: TakenKeyPolicy

  /// Makes options; what is not named stays as it is by default.
  public init(
    id: RunID? = nil, notBefore: Date? = nil, priority: Int = 0,
    ifTaken: TakenKeyPolicy = .existing
  ) {
    self.id = id
    self.notBefore = notBefore
    self.priority = priority
    self.ifTaken = ifTaken
  }
}
