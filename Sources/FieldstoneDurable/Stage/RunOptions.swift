public import Foundation

/// How a run is started: when, in which order, and what happens if its key is taken.
///
/// ```swift
/// // At most one reminder a customer, half an hour after the last click.
/// try await runner.start(
///   Reminder.send(customer), key: customer,
///   options: RunOptions(notBefore: .now + 1_800, ifTaken: .replaceUnlessBegun))
/// ```
public struct RunOptions: Sendable, Hashable {
  /// Identifies the start: repeating it with the same identifier changes nothing.
  ///
  /// Nil for a new one. Store it with the request for the run if an answer may be lost.
  public var id: RunID?

  /// The earliest time of a claim, by the wall clock; nil for at once.
  public var notBefore: Date?

  /// Due runs with a higher number are claimed first, then those due longest; 0 by default.
  ///
  /// A level counts as much as an hour of waiting: a run of priority 2 precedes one of priority 0
  /// that became due less than two hours earlier. So no run waits for ever behind higher
  /// priorities. At most a thousand levels above and below 0 count.
  public var priority: Int

  /// A key that the run shares with others of its flow, such as its customer; nil for none.
  ///
  /// ``FlowLimits/perKey`` limits the runs with the same key at a time, and
  /// ``DurableRunner/pause(_:until:by:)`` pauses them all. At most ``PayloadLimits/key`` bytes,
  /// compared byte by byte.
  public var concurrencyKey: String?

  /// What happens to the start if the flow has a run with this key.
  public var ifTaken: TakenKeyPolicy

  /// When the run is cancelled if it is unfinished, by the journal's clock; nil for never.
  ///
  /// The next claim of any worker cancels it, whatever it waits for, and so does its own lease
  /// renewal. Work on it is cut short. A retry or an edit of a run that is over removes a past
  /// deadline.
  public var deadline: Date?

  /// The values by which the run can be found, in addition to its key.
  ///
  /// At most 16, with names and values of at most ``PayloadLimits/key`` bytes.
  public var attributes: [String: RunAttribute]

  /// The trace that the run belongs to, as an instrument's headers, such as `traceparent`.
  ///
  /// A run that a stage starts belongs to that stage's trace by default. As JSON it has at most
  /// ``PayloadLimits/key`` bytes. FieldstoneObservability fills it, and makes the spans of stages
  /// its children.
  public var trace: [String: String]

  /// Makes options; parameters that are omitted have their defaults.
  public init(
    id: RunID? = nil, notBefore: Date? = nil, priority: Int = 0, concurrencyKey: String? = nil,
    ifTaken: TakenKeyPolicy = .existing, deadline: Date? = nil,
    attributes: [String: RunAttribute] = [:], trace: [String: String] = [:]
  ) {
    self.id = id
    self.notBefore = notBefore
    self.priority = priority
    self.concurrencyKey = concurrencyKey
    self.ifTaken = ifTaken
    self.deadline = deadline
    self.attributes = attributes
    self.trace = trace
  }
}
