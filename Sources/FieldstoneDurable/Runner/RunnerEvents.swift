public import FieldstoneCore

/// The events of a runner on their way to the handler of its options and to its observers.
struct RunnerEvents: Sendable {
  let handler: (@Sendable (RunnerEvent) -> Void)?
  let observers = EventObservers<RunnerEvent>()

  func emit(
    _ kind: RunnerEvent.Kind, flow: String? = nil, run: RunID? = nil, sequence: Int? = nil
  ) {
    guard handler != nil || observers.isObserved else { return }
    let event = RunnerEvent(kind, flow: flow, run: run, sequence: sequence)
    handler?(event)
    observers.send(event)
  }
}

extension DurableRunner {
  /// Observes the events of this runner from now on, beside ``DurableRunnerOptions/onEvent`` and any
  /// number of other observers.
  ///
  /// ```swift
  /// let registration = runner.observe { event in
  ///   if case .dead(_, let error) = event.kind { alert(error) }
  /// }
  /// ```
  ///
  /// The observer is called outside every lock, one event after the other, in their order. The thread
  /// on which an event happens calls it; when another thread is calling it, that one goes on with
  /// the new event. All of the runner may be used. Be quick: the run waits. While 10,000 events wait
  /// for this observer, further ones are lost; other observers don't count.
  ///
  /// - Parameter observer: takes an event, on any thread, but never on two at once.
  /// - Returns: the registration, to keep as long as events are needed. An event that is being
  ///   delivered on another thread may still come when it has ended.
  public func observe(_ observer: @escaping @Sendable (RunnerEvent) -> Void) -> Registration {
    requests.events.observers.observe { event, _ in observer(event) }
  }
}
