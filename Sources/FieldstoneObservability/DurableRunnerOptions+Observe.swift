#if Observability
  import FieldstoneDurable

  extension DurableRunnerOptions {
    /// Adds a handler of events, after those that are there.
    mutating func observe(_ observer: @escaping @Sendable (RunnerEvent) -> Void) {
      guard let earlier = onEvent else {
        onEvent = observer
        return
      }
      onEvent = { event in
        earlier(event)
        observer(event)
      }
    }
  }
#endif
