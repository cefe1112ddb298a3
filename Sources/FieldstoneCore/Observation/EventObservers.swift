import Synchronization

/// Events from any thread for any number of observers: each gets those that it asked for, in the
/// order in which they happened.
///
/// The thread that sends calls the observers, outside any lock; while another thread calls one of
/// them, that thread goes on with the new event. Each observer has a queue of its own, so a slow one
/// delays and loses events for itself only. What waits is bounded: the newest event is lost when the
/// observer is too slow, and the numbers of its events have a gap there.
package final class EventObservers<Event: Sendable>: Sendable {
  package typealias Observer = ObserverLine<Event>.Observer

  /// Asked before every event, so apart from the lock.
  private let hasObservers = Atomic(false)
  private let line: Locked<ObserverLine<Event>>

  package init(limit: Int = 10_000) {
    line = Locked(ObserverLine(limit: limit))
  }

  /// Whether there is an observer; without one nothing else need be done.
  package var isObserved: Bool { hasObservers.load(ordering: .relaxed) }

  /// Adds an observer of the events from now on.
  ///
  /// - Parameters:
  ///   - isMeant: whether an event is for this observer; asked under the lock, so never a user's code.
  ///   - observer: takes the event and its number among the events of this observer, from 1 on.
  package func observe(
    where isMeant: (@Sendable (Event) -> Bool)? = nil, _ observer: @escaping Observer
  ) -> Registration {
    let number = line.withLock { line in
      hasObservers.store(true, ordering: .relaxed)
      return line.add(observer, where: isMeant)
    }
    return Registration { [self] in
      // Handed out, so that what it captured is released outside the lock.
      let gone = line.withLock { line in
        defer { hasObservers.store(line.isObserved, ordering: .relaxed) }
        return line.remove(number)
      }
      withExtendedLifetime(gone) {}
    }
  }

  /// Takes an event, also under a lock or within a transition; ``deliver()`` calls the observers.
  ///
  /// - Parameter makeEvent: makes the event; nil takes none.
  package func append(_ makeEvent: () -> Event?) {
    line.withLock { $0.append(makeEvent) }
  }

  /// Calls the observers with what was appended; outside of any lock, when every state is in order.
  package func deliver() {
    line.deliver(\.self)
  }

  /// Appends an event, and delivers it; a no-op without an observer.
  package func send(_ event: @autoclosure () -> Event) {
    guard isObserved else { return }
    let event = event()
    append { event }
    deliver()
  }
}

/// The events on their way to observers, for a state under a lock of its own.
///
/// After an append, leave the lock and call `deliver`.
package struct ObserverLine<Event> {
  /// Takes an event and its number for this observer.
  package typealias Observer = @Sendable (Event, Int) -> Void

  /// An observer with the events that wait for it.
  package struct Listener {
    let number: Int
    let observer: Observer
    let isMeant: (@Sendable (Event) -> Bool)?
    var waiting = DeliveryLine<(event: Event, number: Int)>()
    var lastEvent = 0
  }

  private let limit: Int
  /// By their numbers, so in the order in which they registered.
  private var listeners: [Listener] = []
  private var lastListener = 0

  /// Makes a line that keeps so many events for a slow observer.
  package init(limit: Int = .max) {
    self.limit = limit
  }

  package var isObserved: Bool { !listeners.isEmpty }

  /// Adds an observer of the events from now on.
  ///
  /// - Returns: its number.
  package mutating func add(
    _ observer: @escaping Observer, where isMeant: (@Sendable (Event) -> Bool)? = nil
  ) -> Int {
    lastListener += 1
    listeners.append(Listener(number: lastListener, observer: observer, isMeant: isMeant))
    return lastListener
  }

  /// Removes an observer; costs O(n) in the number of observers.
  ///
  /// - Returns: the observer with what waited for it, to be released outside the lock.
  package mutating func remove(_ number: Int) -> Listener? {
    place(of: number).map { listeners.remove(at: $0) }
  }

  /// Takes an event, which is not asked for without an observer.
  ///
  /// Costs O(n) in the number of observers.
  package mutating func append(_ makeEvent: () -> Event?) {
    guard isObserved, let event = makeEvent() else { return }
    for place in listeners.indices where listeners[place].isMeant?(event) ?? true {
      listeners[place].lastEvent += 1
      // The newest is lost, which its sender holds: nothing is released under a lock.
      guard listeners[place].waiting.count < limit else { continue }
      listeners[place].waiting.append((event, listeners[place].lastEvent))
    }
  }

  /// Claims the delivery to the next observer, in their order, that has events and no delivery.
  ///
  /// - Parameter last: the number of the observer that was claimed before; 0 begins.
  package mutating func claim(after last: Int) -> Int? {
    var place = firstPlace(from: last + 1)
    while place < listeners.count {
      if listeners[place].waiting.count > 0, listeners[place].waiting.begin() {
        return listeners[place].number
      }
      place += 1
    }
    return nil
  }

  /// The next event for an observer that was claimed; nil gives the claim back, or the observer has
  /// gone.
  package mutating func next(
    for number: Int
  ) -> (observer: Observer, event: Event, number: Int)? {
    guard let place = place(of: number), let next = listeners[place].waiting.next() else {
      return nil
    }
    return (listeners[place].observer, next.event, next.number)
  }

  private func place(of number: Int) -> Int? {
    let place = firstPlace(from: number)
    return place < listeners.count && listeners[place].number == number ? place : nil
  }

  /// The place of the first observer with this number or a later one, by halving.
  private func firstPlace(from number: Int) -> Int {
    var (low, high) = (0, listeners.count)
    while low < high {
      let middle = (low + high) / 2
      if listeners[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension ObserverLine: Sendable where Event: Sendable {}
extension ObserverLine.Listener: Sendable where Event: Sendable {}

extension Locked {
  /// Calls the observers of a line in this state, outside the lock, until no event waits.
  ///
  /// - Parameter line: where the line is in the state.
  package func deliver<Event: Sendable>(
    _ line: any (WritableKeyPath<State, ObserverLine<Event>> & Sendable)
  ) where State: Sendable {
    var last = 0
    while let number = withLock({ $0[keyPath: line].claim(after: last) }) {
      while let (observer, event, count) = withLock({ $0[keyPath: line].next(for: number) }) {
        observer(event, count)
      }
      last = number
    }
  }
}
