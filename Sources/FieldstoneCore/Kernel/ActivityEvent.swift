/// An event of an activity in this process, such as a call, a stage execution or a file save.
///
/// ```swift
/// let registration = ActivityEvent.observe { event in
///   timeline.append(event, at: clock.now)
/// }
/// ```
///
/// The events of one activity come in this order: ``Change/waiting`` if it waits before it begins;
/// ``Change/began``; ``Change/retrying(attempt:error:delay:)`` for each further attempt; and
/// exactly one ``Change/ended(_:)``, last. An activity that ends before it begins has only the end,
/// or the wait and the end. A call that shares a load with others is a separate activity.
///
/// An activity that began while no observer was registered has no events. Without an observer,
/// Fieldstone only checks whether one exists.
public struct ActivityEvent: Sendable {
  /// The kind of an activity.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A call of an `Integrator`.
    case call
    /// A `StatefulOperation`, from its start on.
    case operation
    /// A call of a `PaginatedList`, for one page or for a reload.
    case pageLoad
    /// The execution of a stage and of the stages that follow it.
    ///
    /// Three executions have no events. A durable run has the events of its runner. The consumer of
    /// `stages` runs the stages one by one. An execution in a plain loop returns before anything
    /// else can happen.
    case stageExecution
    /// A submit of a `FormModel`, its validation included.
    case formSubmit
    /// A save or an update of a `FileStore`; saves that share one write are separate activities.
    case fileSave
  }

  /// A change of an activity.
  public enum Change: Sendable {
    /// The activity was started, and waits for its turn or for a time.
    case waiting
    /// The activity's work began.
    case began
    /// An attempt failed with an error; the attempt of this number, from 2 on, follows after the
    /// delay.
    case retrying(attempt: Int, error: any Error, delay: Duration)
    /// The activity ended; a cancellation has its reason.
    case ended(Outcome<Void>)
  }

  /// The number of the event among those for its observer, from 1 on.
  ///
  /// A gap means that events were lost because the observer was too slow.
  public internal(set) var number: Int

  /// The identity of the activity in this process.
  public let activity: Int

  /// The kind of the activity.
  public let kind: Kind

  /// The type of the provider, operation or stage, the title of the form's first section, or the
  /// name of the file.
  public let name: String

  /// The integrator, list, operation, form or store of the activity; nil for a stage execution.
  ///
  /// It identifies an object only during the object's lifetime.
  public let owner: ObjectIdentifier?

  /// The change of the activity.
  public let change: Change

  /// The parameters of a call, if its integrator notes them; nil for all other activities.
  package internal(set) var parameters: (any Sendable)?

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
  /// It receives no event of an activity that was started before, not even the end.
  ///
  /// The observer is called outside every lock, one event at a time, in the order of the events.
  /// The thread that made a change calls it, unless another thread is calling it already; that
  /// thread then delivers the new event, too. The state of the activity is consistent by then, and
  /// the observer may use all of Fieldstone. Be quick: the activity waits. While 10,000 events wait
  /// for this observer, further ones are lost; ``number`` then has a gap. Events that it did not
  /// ask for, and other observers, neither delay it nor push its events out.
  ///
  /// An event has no time. Read a clock in the observer, which is called as soon as the event
  /// happens.
  ///
  /// - Parameters:
  ///   - kinds: the kinds of the activities; all kinds unless given.
  ///   - name: the ``ActivityEvent/name`` of the activities; any unless given.
  ///   - owner: the ``ActivityEvent/owner`` of the activities, which is not retained; any unless
  ///     given.
  ///   - observer: receives an event, on any thread, but never on two at once.
  /// - Returns: the registration, to keep as long as events are needed. After it ends, an event
  ///   that another thread is delivering may still arrive.
  public static func observe(
    _ kinds: Set<Kind> = Set(Kind.allCases), named name: String? = nil, of owner: AnyObject? = nil,
    _ observer: @escaping @Sendable (ActivityEvent) -> Void
  ) -> Registration {
    let owner = owner.map(ObjectIdentifier.init)
    return ActivityTrace.observers.observe {
      // Read under the lock: no activity can be started and have its first event before this
      // observer is registered, and yet have a later number.
      let last = ActivityTrace.lastNumber
      return { event in
        event.activity > last && kinds.contains(event.kind) && (name == nil || event.name == name)
          && (owner == nil || event.owner == owner)
      }
    } _: { event, number in
      var event = event
      event.number = number
      observer(event)
    }
  }
}

extension ActivityEvent {
  /// Observes the activities that a check accepts.
  ///
  /// - Parameters:
  ///   - isMeant: whether an event is for this observer; called under the observers' lock, so it
  ///     must run no code of users.
  ///   - observer: receives an event, on any thread, but never on two at once.
  /// - Returns: the registration, to keep as long as events are needed.
  package static func observe(
    where isMeant: @escaping @Sendable (ActivityEvent) -> Bool,
    _ observer: @escaping @Sendable (ActivityEvent) -> Void
  ) -> Registration {
    ActivityTrace.observers.observe(where: isMeant) { event, _ in observer(event) }
  }
}

extension ActivityEvent: CustomStringConvertible {
  /// One line, such as `call 7 UserSearch: ended, cancelled(superseded)`.
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
