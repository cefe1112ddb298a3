public import FieldstoneCore

/// The events of a runner, delivered to the handler of its options and to its observers.
struct RunnerEvents: Sendable {
  let handler: (@Sendable (RunnerEvent) -> Void)?
  let observers = EventObservers<RunnerEvent>()

  /// Identifies the runner in its events; a registration of an observer keeps it unique.
  var source: ObjectIdentifier { ObjectIdentifier(observers) }

  func emit(
    _ kind: RunnerEvent.Kind, flow: String? = nil, run: RunID? = nil, sequence: Int? = nil
  ) {
    guard handler != nil || observers.isObserved else { return }
    var event = RunnerEvent(kind, flow: flow, run: run, sequence: sequence)
    event.source.id = source
    handler?(event)
    observers.send(event)
  }
}

extension DurableRunner {
  /// Observes this runner's events from now on, in addition to other observers and
  /// ``DurableRunnerOptions/onEvent``.
  ///
  /// ```swift
  /// let registration = runner.observe { event in
  ///   if case .dead(_, let error) = event.kind { alert(error) }
  /// }
  /// ```
  ///
  /// The observer is called outside every lock, with one event after the other, in their order. The
  /// thread of an event calls it. If another thread is calling it, that thread delivers the new
  /// event too. The observer may use the whole runner. Be quick: the run waits. While 10,000 events
  /// wait for this observer, further ones are lost; each observer has its own queue.
  ///
  /// - Parameter observer: called with each event, on any thread, but never on two at once.
  /// - Returns: the registration, to keep as long as events are needed. After it ends, an event
  ///   that another thread is delivering may still arrive.
  public func observe(_ observer: @escaping @Sendable (RunnerEvent) -> Void) -> Registration {
    requests.events.observers.observe { event, _ in observer(event) }
  }

  /// Identifies this runner in its events, as long as one of its observers is registered.
  package var eventSource: ObjectIdentifier { requests.events.source }
}
