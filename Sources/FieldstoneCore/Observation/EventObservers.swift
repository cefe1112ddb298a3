import Synchronization

/// Delivers events from any thread to any number of observers.
///
/// Each observer receives the events that it asked for, in their order. The sending thread calls
/// the observers, outside any lock. If another thread is calling one of them, that thread delivers
/// the new event, too. Each observer has a queue of its own, so a slow one delays and loses only
/// its own events. The queue is bounded: if the observer is too slow, the newest event is lost, and
/// the numbers of its events have a gap there.
package final class EventObservers<Event: Sendable>: Sendable {
  package typealias Observer = ObserverLine<Event>.Observer

  /// Read before every event, so it is kept outside the lock.
  private let hasObservers = Atomic(false)
  private let line: Locked<ObserverLine<Event>>

  package init(limit: Int = 10_000) {
    line = Locked(ObserverLine(limit: limit))
  }

  /// Whether an observer is registered; without one, a sender need do nothing.
  package var isObserved: Bool { hasObservers.load(ordering: .relaxed) }

  /// Adds an observer of future events.
  ///
  /// - Parameters:
  ///   - isMeant: whether an event is for this observer; called under the lock, so never users'
  ///     code.
  ///   - observer: receives the event and its number among the events of this observer, from 1 on.
  package func observe(
    where isMeant: (@Sendable (Event) -> Bool)? = nil, _ observer: @escaping Observer
  ) -> Registration {
    observe(choosing: { isMeant }, observer)
  }

  /// Adds an observer of future events, with a check that is made when it is registered.
  ///
  /// - Parameters:
  ///   - makeCheck: makes the check; called under the lock, between the events before the
  ///     registration and those after it.
  ///   - observer: receives the event and its number among the events of this observer, from 1 on.
  package func observe(
    choosing makeCheck: () -> (@Sendable (Event) -> Bool)?, _ observer: @escaping Observer
  ) -> Registration {
    let number = line.withLock { line in
      hasObservers.store(true, ordering: .relaxed)
      return line.add(observer, where: makeCheck())
    }
    return Registration { [self] in
      // Returned from the lock, so that its captures are released outside it.
      let gone = line.withLock { line in
        defer { hasObservers.store(line.isObserved, ordering: .relaxed) }
        return line.remove(number)
      }
      withExtendedLifetime(gone) {}
    }
  }

  /// Appends an event, also under a lock or within a transition; ``deliver()`` calls the observers.
  ///
  /// - Parameter makeEvent: makes the event; nil appends none.
  package func append(_ makeEvent: () -> Event?) {
    line.withLock { $0.append(makeEvent) }
  }

  /// Calls the observers with the appended events; call it outside any lock, in a consistent state.
  package func deliver() {
    line.deliver(\.self)
  }

  /// Appends and delivers an event; a no-op without an observer.
  package func send(_ event: @autoclosure () -> Event) {
    guard isObserved else { return }
    let event = event()
    append { event }
    deliver()
  }
}

/// The pending events of observers, for a state that has its own lock.
///
/// After an append, unlock and call `deliver`.
package struct ObserverLine<Event> {
  /// Receives an event and its number for this observer.
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
  /// Sorted by number, which is the order of registration.
  private var listeners: [Listener] = []
  private var lastListener = 0

  /// Makes a line that keeps at most `limit` events for each observer.
  package init(limit: Int = .max) {
    self.limit = limit
  }

  package var isObserved: Bool { !listeners.isEmpty }

  /// Adds an observer of future events.
  ///
  /// - Returns: its number.
  package mutating func add(
    _ observer: @escaping Observer, where isMeant: (@Sendable (Event) -> Bool)? = nil
  ) -> Int {
    lastListener += 1
    listeners.append(Listener(number: lastListener, observer: observer, isMeant: isMeant))
    return lastListener
  }

  /// Removes an observer, in O(n) of the number of observers.
  ///
  /// - Returns: the observer with its pending events, to be released outside the lock.
  package mutating func remove(_ number: Int) -> Listener? {
    place(of: number).map { listeners.remove(at: $0) }
  }

  /// Appends an event for each observer that asked for it; without observers it makes none.
  ///
  /// Costs O(n) in the number of observers.
  package mutating func append(_ makeEvent: () -> Event?) {
    guard isObserved, let event = makeEvent() else { return }
    for place in listeners.indices where listeners[place].isMeant?(event) ?? true {
      listeners[place].lastEvent += 1
      // The newest event is lost: its sender holds it, so nothing is released under the lock.
      guard listeners[place].waiting.count < limit else { continue }
      listeners[place].waiting.append((event, listeners[place].lastEvent))
    }
  }

  /// Claims delivery to the next observer in order that has events and is not being delivered to.
  ///
  /// - Parameter last: the number of the observer claimed before; 0 starts.
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

  /// The next event for a claimed observer; nil gives the claim back, or the observer was removed.
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

  /// The place of the first observer with this number or a later one, by binary search.
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
  /// - Parameter line: the line's key path in the state.
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
