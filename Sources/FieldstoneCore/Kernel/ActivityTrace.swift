import Synchronization

/// The trace of one activity for the observers of ``ActivityEvent``; made only if one is
/// registered.
///
/// Shells keep an optional trace. They note a change where they make it, possibly under a lock or
/// within a transition, and deliver it once the state is consistent. ``note(_:)`` calls no
/// observer; ``deliver()`` does.
@usableFromInline
package final class ActivityTrace: Sendable {
  let activity: Int
  let kind: ActivityEvent.Kind
  let name: String
  let owner: ObjectIdentifier?
  let parameters: (any Sendable)?

  /// Whether its end was noted; changed only under the observers' lock.
  private let isOver = Atomic(false)

  /// The observers of all activities of the process.
  static let observers = EventObservers<ActivityEvent>()

  private static let lastActivity = Atomic(0)

  package init(
    activity: Int, kind: ActivityEvent.Kind, name: String, owner: ObjectIdentifier?,
    parameters: (any Sendable)? = nil
  ) {
    self.activity = activity
    self.kind = kind
    self.name = name
    self.owner = owner
    self.parameters = parameters
  }

  /// The number of the activity that was started last; numbers grow.
  static var lastNumber: Int { lastActivity.load(ordering: .relaxed) }

  /// Whether an observer is registered; the only check of an activity without observers.
  package static var isObserved: Bool { observers.isObserved }

  /// Makes the trace of a new activity; nil without an observer.
  package static func make(
    _ kind: ActivityEvent.Kind, named name: @autoclosure () -> String,
    owner: ObjectIdentifier? = nil, parameters: (any Sendable)? = nil
  ) -> ActivityTrace? {
    guard isObserved else { return nil }
    return ActivityTrace(
      activity: lastActivity.add(1, ordering: .relaxed).newValue, kind: kind, name: name(),
      owner: owner, parameters: parameters)
  }

  /// Makes the trace of an activity and delivers that it began; nil without an observer.
  @usableFromInline
  package static func begin(
    _ kind: ActivityEvent.Kind, named type: Any.Type
  ) -> ActivityTrace? {
    let trace = make(kind, named: "\(type)")
    trace?.tell(.began)
    return trace
  }

  /// Notes a change; a change after the end is dropped.
  package func note(_ change: ActivityEvent.Change) {
    Self.observers.append { event(change) }
  }

  /// The event of a change, to be numbered for each observer; nil after the end.
  package func event(_ change: ActivityEvent.Change) -> ActivityEvent? {
    guard !isOver.load(ordering: .relaxed) else { return nil }
    if case .ended = change { isOver.store(true, ordering: .relaxed) }
    var event = ActivityEvent(
      number: 0, activity: activity, kind: kind, name: name, owner: owner, change: change)
    event.parameters = parameters
    return event
  }

  /// Notes and delivers a change.
  package func tell(_ change: ActivityEvent.Change) {
    note(change)
    Self.deliver()
  }

  /// Notes and delivers that the activity ended with a value.
  @usableFromInline
  package func succeed() {
    tell(.ended(.success(())))
  }

  /// Notes and delivers that the activity ended with an error thrown in the current task.
  @usableFromInline
  package func fail(with error: any Error) {
    tell(.ended(Outcome(catching: { throw error })))
  }

  /// Calls the observers with the noted events; call it outside any lock, once every state is
  /// consistent.
  package static func deliver() {
    if isObserved { observers.deliver() }
  }
}

extension Outcome {
  /// The same outcome without its value.
  package var withoutValue: Outcome<Void> {
    switch self {
    case .success: .success(())
    case .failure(let error): .failure(error)
    case .cancelled(let reason): .cancelled(reason)
    }
  }
}
