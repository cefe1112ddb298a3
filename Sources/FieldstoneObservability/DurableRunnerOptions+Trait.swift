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
#else
  public import FieldstoneDurable

  extension DurableRunnerOptions {
    /// Writes what happens in the runner to a log; it is there with the trait `Observability`.
    @available(
      *, unavailable,
      message:
        "turn on the trait Observability in Package.swift: .package(…, traits: [\"Observability\"])"
    )
    public mutating func log<Logger>(to logger: Logger) {}

    /// Counts and times what happens; it is there with the trait `Observability`.
    @available(
      *, unavailable,
      message:
        "turn on the trait Observability in Package.swift: .package(…, traits: [\"Observability\"])"
    )
    public mutating func measure() {}

    /// Makes a span of every attempt; it is there with the trait `Observability`.
    @available(
      *, unavailable,
      message:
        "turn on the trait Observability in Package.swift: .package(…, traits: [\"Observability\"])"
    )
    public mutating func trace() {}
  }
#endif
