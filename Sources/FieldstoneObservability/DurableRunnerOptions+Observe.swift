#if Observability
  import FieldstoneDurable

  extension DurableRunnerOptions {
    /// Has one more told of events, after those who are told already.
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
