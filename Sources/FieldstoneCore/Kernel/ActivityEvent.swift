/// Something that happened to an activity of this process: to a call, an operation, a page load, a
/// stage execution, the submit of a form or the save of a file.
///
/// ```swift
/// let registration = ActivityEvent.observe { event in
///   timeline.append(event, at: clock.now)
/// }
/// ```
///
/// The events of one activity come in this order: ``Change/waiting`` where it waits before it
/// begins; ``Change/began``; ``Change/retrying(attempt:error:delay:)`` for each further attempt; and
/// exactly one ``Change/ended(_:)``, last. An activity that ends before it begins has the end only,
/// or the wait and the end. A call that shares a load with others is an activity of its own.
///
/// An activity that began while nothing was observed has no events. Fieldstone does nothing for
/// this without an observer, except to ask whether there is one.
public struct ActivityEvent: Sendable {
  /// What an activity is.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A call of an `Integrator`.
    case call
    /// A `StatefulOperation`, from its start on.
    case operation
    /// A call of a `PaginatedList`, for one page or for a reload.
    case pageLoad
    /// The execution of a stage and of those that follow it.
    ///
    /// A durable run is none, as its runner has events of its own; nor is `stages`, whose consumer
    /// runs them one by one, nor an execution in a plain loop, which returns before anything else
    /// can happen.
    case stageExecution
    /// A submit of a `FormModel`, its validation included.
    case formSubmit
    /// A save or an update of a `FileStore`; saves that share one write are activities of their own.
    case fileSave
  }

  /// What happened to an activity.
  public enum Change: Sendable {
    /// It was started, and waits for its turn or for a time.
    case waiting
    /// Its work began.
    case began
    /// An attempt failed with an error, and the attempt of this number, from 2 on, follows after the
    /// delay.
    case retrying(attempt: Int, error: any Error, delay: Duration)
    /// It ended; a cancellation has its reason.
    case ended(Outcome<Void>)
  }

  /// The number of the event among those for its observer, from 1 on.
  ///
  /// A gap before it tells that events were lost, as the observer was too slow.
  public internal(set) var number: Int

  /// The identity of the activity in this process.
  public let activity: Int

  /// What the activity is.
  public let kind: Kind

  /// What the activity works with: the type of the provider, of the operation or of the stage, the
  /// title of the form's first section, or the name of the file.
  public let name: String

  /// The integrator, list, operation, form or store of the activity; nil for a stage execution.
  ///
  /// It tells objects apart while they live.
  public let owner: ObjectIdentifier?

  /// What happened.
  public let change: Change

  /// Makes an event, for tests of an observer.
  public init(
    number: Int, activity: Int, kind: Kind, name: String, owner: ObjectIdentifier? = nil,
    change: Change
  ) {
    self.number = number
    self.activity = activity
    self.kind = kind
    self.name = name
    self.owner = owner
    self.change = change
  }

  /// Observes the activities of this process that begin from now on: all of them, or those of some
  /// kinds, of a name or of an owner.
  ///
  /// The observer is called outside every lock, one event after the other, in the order in which the
  /// events happened. The thread that made a change calls it; when another thread is calling it,
  /// that one goes on with the new event. The state of the activity is in order by then, and all of
  /// Fieldstone may be used. Be quick: the activity waits. While 10,000 events wait for this
  /// observer, further ones are lost; ``number`` tells. Events that it did not ask for, and other
  /// observers, neither delay it nor push its events out.
  ///
  /// An event has no time. Read a clock in the observer: it is called as soon as the event happened.
  ///
  /// - Parameters:
  ///   - kinds: what the activities are; all kinds unless given.
  ///   - name: the ``ActivityEvent/name`` of the activities; any unless given.
  ///   - owner: the ``ActivityEvent/owner`` of the activities, which is not retained; any unless
  ///     given.
  ///   - observer: takes an event, on any thread, but never on two at once.
  /// - Returns: the registration, to keep as long as events are needed. An event that is being
  ///   delivered on another thread may still come when it has ended.
  public static func observe(
    _ kinds: Set<Kind> = Set(Kind.allCases), named name: String? = nil, of owner: AnyObject? = nil,
    _ observer: @escaping @Sendable (ActivityEvent) -> Void
  ) -> Registration {
    let owner = owner.map(ObjectIdentifier.init)
    return ActivityTrace.observers.observe { event in
      kinds.contains(event.kind) && (name == nil || event.name == name)
        && (owner == nil || event.owner == owner)
    } _: { event, number in
      var event = event
      event.number = number
      observer(event)
    }
  }
}

extension ActivityEvent: CustomStringConvertible {
  /// The event in a line, such as `call 7 UserSearch: ended, cancelled(superseded)`.
  public var description: String {
    "\(kind) \(activity) \(name): \(change.text)"
  }
}

extension ActivityEvent.Change {
  fileprivate var text: String {
    switch self {
    case .waiting: "waiting"
    case .began: "began"
    case .retrying(let attempt, let error, let delay):
      "attempt \(attempt) in \(delay), after \(error)"
    case .ended(.success): "ended, success"
    case .ended(.failure(let error)): "ended, failure(\(error))"
    case .ended(.cancelled(let reason)): "ended, cancelled(\(reason))"
    }
  }
}
