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

  /// What the run has in common with others of its flow, as the customer that it works for; nil for
  /// nothing.
  ///
  /// ``FlowLimits/perKey`` limits how many with the same there are at a time, and
  /// ``DurableRunner/pause(_:until:)`` pauses them all. At most
  /// ``PayloadLimits/key`` bytes, compared byte by byte.
  public var concurrencyKey: String?

  /// What becomes of the start when the flow has a run with this key.
  public var ifTaken: TakenKeyPolicy

  /// When the run is cancelled unless it is over by then, by the journal's clock; nil for never.
  ///
  /// The first claim of any worker after that cancels it, whatever it waits for, and so does the renewal
  /// of its own; work on it is cut short. A retry or an edit of a run that is over takes away a deadline
  /// that has passed.
  public var deadline: Date?

  /// What the run can be found by, beside its key; at most 16, with names and values of at most
  /// ``PayloadLimits/key`` bytes.
  public var attributes: [String: RunAttribute]

  /// The trace that the run belongs to, as an instrument writes it into headers, such as `traceparent`.
  ///
  /// A run that a stage starts belongs to the trace of the starting one unless another is given. As JSON
  /// it has at most ``PayloadLimits/key`` bytes. FieldstoneObservability fills it, and makes the spans of
  /// stages its children.
  public var trace: [String: String]

  /// Makes options; what is not named stays as it is by default.
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
