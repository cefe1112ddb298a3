#if CommandLineTool
  import ArgumentParser
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import Foundation

  /// Selects runs by an expression, or by their flow, state, key and time.
  struct RunQueryOptions: ParsableArguments {
    @Option(
      name: .customLong("where"),
      help: ArgumentHelp(
        "Only runs for which all terms hold, as 'state=dead flow=orders customer=ada'.",
        discussion: """
          state=, flow=, key=, key^= (its beginning), started>= and started<, stopped>= and stopped<, \
          waiting= (time, retry, signal, signal:NAME, children, pause, limit, quarantine), error= (a \
          fingerprint), error~ (a part of its text); any other name is an attribute.
          """))
    var expression: String?

    @Option(help: "Only runs of this flow.")
    var flow: String?

    @Option(
      help: "Only runs in this state; may be given more than once.",
      transform: { text in try RunState.typed(text) })
    var state: [RunState] = []

    @Option(help: "Only the run with this key.")
    var key: String?

    @Option(help: "Only runs that were started then or later: 2026-11-21, or with a time.")
    var since: String?

    /// The query of the options, for its first page.
    ///
    /// - Throws: `CommandError.errorPart` if the options search a part of an error's text, which no
    ///   query supports.
    func query(limit: Int = 50) throws -> RunQuery {
      let expression = try parsed(limit: limit)
      if expression.errorPart != nil { throw CommandError.errorPart }
      return expression.query
    }

    /// The expression of the options, for its first page.
    func parsed(limit: Int = 50) throws -> RunExpression {
      var parsed = RunExpression()
      do throws(RunExpressionError) {
        if let expression { parsed = try RunExpression(expression) }
      } catch {
        throw CommandError.noExpression(error)
      }
      try set(&parsed.query.flow, flow, "flow")
      try set(&parsed.query.key, key, "key")
      try set(&parsed.query.since, since.map { text in try Date.typed(text) }, "since")
      parsed.query.states.formUnion(state)
      parsed.query.limit = limit
      return parsed
    }

    private func set<Value>(_ place: inout Value?, _ value: Value?, _ name: String) throws {
      guard let value else { return }
      if place != nil { throw CommandError.givenTwice(name) }
      place = value
    }

    /// Whether there is an expression without a term, as from a script whose variable is not set.
    var hasNoTerm: Bool { expression?.allSatisfy(\.isWhitespace) ?? false }

    /// Whether no option filters the runs.
    var isEmpty: Bool {
      expression == nil && flow == nil && state.isEmpty && key == nil && since == nil
    }
  }
#endif
