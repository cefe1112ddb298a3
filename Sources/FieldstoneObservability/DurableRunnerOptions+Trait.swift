#if !Observability
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
