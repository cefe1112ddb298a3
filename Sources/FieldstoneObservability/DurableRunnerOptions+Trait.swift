#if Observability
  import FieldstoneDurable

  extension DurableRunnerOptions {
    /// Adds a handler of events, which is called after the existing one.
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
#else
  public import FieldstoneDurable

  extension DurableRunnerOptions {
    /// Writes the runner's events to a log; available with the trait `Observability`.
    @available(
      *, unavailable,
      message:
        "turn on the trait Observability in Package.swift: .package(…, traits: [\"Observability\"])"
    )
    public mutating func log<Logger>(to logger: Logger) {}

    /// Records metrics of the runner's events; available with the trait `Observability`.
    @available(
      *, unavailable,
      message:
        "turn on the trait Observability in Package.swift: .package(…, traits: [\"Observability\"])"
    )
    public mutating func measure() {}

    /// Makes a span for each attempt; available with the trait `Observability`.
    @available(
      *, unavailable,
      message:
        "turn on the trait Observability in Package.swift: .package(…, traits: [\"Observability\"])"
    )
    public mutating func trace() {}
  }
#endif
