#if Observability
  public import FieldstoneDurable
  public import Tracing

  extension DurableRunnerOptions {
    /// Makes a span of each attempt at a stage, around an earlier `aroundStage`.
    ///
    /// The span is named `stage` and the flow, and has the attributes `fieldstone.flow`,
    /// `fieldstone.run`, `fieldstone.sequence` and `fieldstone.attempt`. It covers the work without
    /// its checkpoint. Spans of the work are its children. Its parent is the span around
    /// `DurableRunner.run()`, mostly none: several processes may execute the stages of a run, which
    /// are found by `fieldstone.run`.
    ///
    /// An error of the work is recorded and sets the status, except after a shutdown or when the run
    /// was lost.
    ///
    /// - Parameter tracer: makes the spans, by its own clock; by default that of
    ///   `InstrumentationSystem`.
    public mutating func trace(with tracer: any Tracer = InstrumentationSystem.tracer) {
      let tracing = StageTracing(tracer: tracer, inner: aroundStage)
      aroundStage = { try await tracing.perform($0) }
    }
  }

  /// Makes spans of attempts at stages.
  struct StageTracing: Sendable {
    let tracer: any Tracer
    /// The earlier `aroundStage`.
    let inner: (@Sendable (StageAttempt) async throws -> StageOutcome)?

    func perform(_ attempt: StageAttempt) async throws -> StageOutcome {
      // By hand: `withSpan` records every error, also those of work that was cut short.
      let span = tracer.startAnySpan("stage \(attempt.flow)")
      defer { span.end() }
      span.updateAttributes { attributes in
        attributes["fieldstone.flow"] = attempt.flow
        attributes["fieldstone.run"] = attempt.run.description
        attributes["fieldstone.sequence"] = attempt.sequence
        attributes["fieldstone.attempt"] = attempt.number
      }
      do {
        return try await ServiceContext.withValue(span.context) {
          guard let inner else { return try await attempt.perform() }
          return try await inner(attempt)
        }
      } catch {
        if !Task.isCancelled {
          span.recordError(error)
          span.setStatus(SpanStatus(code: .error))
        }
        throw error
      }
    }
  }
#endif
