#if Observability
  import FieldstoneDurable
  import Tracing

  /// Makes spans of attempts at stages.
  struct StageTracing: Sendable {
    let tracer: any Tracer
    /// What stood around stages before.
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
