#if Observability
  public import FieldstoneDurable
  public import Tracing

  extension DurableRunnerOptions {
    /// Makes a span for each attempt at a stage, around an earlier `aroundStage`.
    ///
    /// The span's name is `stage` and the flow, and it has the attributes `fieldstone.flow`,
    /// `fieldstone.run`, `fieldstone.sequence` and `fieldstone.attempt`. It covers the work without
    /// its checkpoint. Spans of the work are its children. Its parent is the span in the run's
    /// options (`RunOptions.traced(with:)`), otherwise the span around `DurableRunner.run()`, if
    /// there is one. Several processes may execute the stages of a run; find them by
    /// `fieldstone.run`.
    ///
    /// An error of the work is recorded and sets the status, except after a shutdown or if the run
    /// was lost. So is the end of the stage's time limit.
    ///
    /// - Parameter tracer: makes the spans, with its own clock; by default that of
    ///   `InstrumentationSystem`.
    public mutating func trace(with tracer: any Tracer = InstrumentationSystem.tracer) {
      let tracing = StageTracing(tracer: tracer, inner: aroundStage)
      aroundStage = { try await tracing.perform($0) }
    }
  }

  extension RunOptions {
    /// Adds the trace of the current task, or of another context, to these options.
    ///
    /// Spans of the run's stages are then children of that span, whichever process executes them;
    /// so are the spans of runs that its stages start.
    ///
    /// - Parameters:
    ///   - tracer: writes the context; by default that of `InstrumentationSystem`.
    ///   - context: the context; nil for that of the current task.
    public func traced(
      with tracer: any Tracer = InstrumentationSystem.tracer, context: ServiceContext? = nil
    ) -> RunOptions {
      guard let context = context ?? .current else { return self }
      var options = self
      tracer.inject(context, into: &options.trace, using: TraceCarrier())
      return options
    }
  }

  /// Writes a trace to a dictionary, and reads it back.
  struct TraceCarrier: Injector, Extractor {
    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
      carrier[key] = value
    }

    func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
  }

  /// Makes spans for attempts at stages.
  struct StageTracing: Sendable {
    let tracer: any Tracer
    /// The earlier `aroundStage`.
    let inner: (@Sendable (StageAttempt) async throws -> StageOutcome)?

    func perform(_ attempt: StageAttempt) async throws -> StageOutcome {
      // Not `withSpan`, which records every error, even that of cancelled work.
      var context = ServiceContext.current ?? .topLevel
      if !attempt.trace.isEmpty {
        tracer.extract(attempt.trace, into: &context, using: TraceCarrier())
      }
      let span = tracer.startAnySpan("stage \(attempt.flow)", context: context)
      defer { span.end() }
      span.updateAttributes { attributes in
        attributes["fieldstone.flow"] = attempt.flow
        attributes["fieldstone.run"] = attempt.run.description
        attributes["fieldstone.sequence"] = attempt.sequence
        attributes["fieldstone.attempt"] = attempt.number
      }
      let result: Result<StageOutcome, any Error>
      do {
        result = .success(
          try await ServiceContext.withValue(span.context) {
            guard let inner else { return try await attempt.perform() }
            return try await inner(attempt)
          })
      } catch {
        result = .failure(error)
      }
      if !attempt.isCutShort(), let error = attempt.limitError() ?? result.error {
        span.recordError(error)
        span.setStatus(SpanStatus(code: .error))
      }
      return try result.get()
    }
  }

  extension Result {
    fileprivate var error: Failure? {
      if case .failure(let error) = self { error } else { nil }
    }
  }
#endif
