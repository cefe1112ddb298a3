#if CommandLineTool
  import FieldstoneCommand
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("Expressions that choose runs")
  struct QueryTests {
    private let desk = Desk()

    @Test("Each term sets what it is about")
    func terms() throws {
      let text = """
        state=dead,blocked flow=orders customer=ada error~"timed \\"out\\"" key^=order- \
        started>=2026-11-01 started<2026-12-01T12:00:00Z stopped>=2026-11-02 waiting=signal:paid \
        amount=17 isGift=true text="17" attribute.flow=x state=READY
        """
      let expression = try RunExpression(text)
      var query = RunQuery(flow: "orders", states: [.dead, .blocked, .ready])
      query.keyPrefix = "order-"
      query.since = try Date("2026-11-01T00:00:00Z", strategy: .iso8601)
      query.until = try Date("2026-12-01T12:00:00Z", strategy: .iso8601)
      query.stoppedSince = try Date("2026-11-02T00:00:00Z", strategy: .iso8601)
      query.waiting = .signal("paid")
      query.attributes = [
        "customer": "ada", "amount": 17, "isGift": true, "text": "17", "flow": "x",
      ]
      #expect(expression.query == query)
      #expect(expression.errorPart == #"timed "out""#)
      #expect(try RunExpression("") == RunExpression())
      #expect(try RunExpression("  key=\"a b\\\\\" ").query.key == #"a b\"#)
      let print = ErrorFingerprint(of: "no")
      #expect(try RunExpression("error=\(print)").query.error == print)
      #expect(try RunExpression("key=a=b").query.key == "a=b")
    }

    @Test(
      "What is wrong is told with its place",
      arguments: [
        ("=dead", 1, .noName("=dead")), ("flow=a ?x=1", 8, .noName("?x=1")),
        ("flow", 5, .noComparison("flow")), ("flow a", 5, .noComparison("flow")),
        ("flow>a", 5, .noComparison("flow")), ("flow~a", 1, .otherComparison("flow", ["="])),
        ("customer^=a", 1, .otherComparison("customer", ["="])),
        ("started=2026-11-01", 1, .otherComparison("started", [">=", "<"])),
        ("flow=", 6, .noValue("flow")), ("flow= key=a", 6, .noValue("flow")),
        (#"flow="a"#, 6, .noEnd("flow")), (#"flow=a"b""#, 7, .quotationWithin("flow")),
        (#"flow="a"b"#, 9, .quotationWithin("flow")),
        ("flow=a  flow=b", 9, .twice("flow")), ("a=1 a=2", 5, .twice("a")),
        ("error~a error~b", 9, .twice("error")), ("state=alive", 1, .noState("alive")),
        ("state=dead,", 1, .noState("")), ("started<soon", 1, .noDate("soon")),
        ("waiting=rain", 1, .noWait("rain")), ("error=timeout", 1, .noFingerprint("timeout")),
      ] as [(String, Int, RunExpressionError.Problem)])
    func errors(text: String, column: Int, problem: RunExpressionError.Problem) throws {
      let error = RunExpressionError(column: column, problem: problem)
      #expect(throws: error) { try RunExpression(text) }
      #expect(error.message.hasPrefix("At character \(column): “") || column > 4)
    }

    private func ids(_ result: Desk.Result) -> [String] {
      result.output.split(separator: "\n").map { String($0.prefix(26)) }
        .filter { RunID($0) != nil }
    }

    @Test("Runs are listed by an expression, in an order, and from a place on")
    func lists() async throws {
      let dead = try await desk.deadRun()
      desk.time.advance(by: .seconds(60))
      let ready = try await desk.start("1", key: "order-1")
      desk.time.advance(by: .seconds(60))
      let other = try await desk.start("1", flow: "other", key: "order-2")
      try await desk.journal.change(
        other, .cancel, at: JournalTime(date: desk.time.now, uptime: .zero, boot: "boot"))
      func list(_ expression: String, _ order: String = "newest") async -> [String] {
        ids(await desk.run("list", "--where", expression, "--order", order))
      }
      #expect(await list("state=dead flow=order") == ["\(dead)"])
      #expect(await list("key^=order-") == ["\(other)", "\(ready)"])
      #expect(await list("key^=order-", "oldest") == ["\(ready)", "\(other)"])
      #expect(await list("", "stopped") == ["\(other)", "\(dead)"])
      #expect(await list("", "stopped-first") == ["\(dead)", "\(other)"])
      #expect(await list(#"error~"THE SERVER""#) == ["\(dead)"])
      #expect(await list("error~nothing") == [])
      #expect(await list("started<2026-11-18") == [])
      let first = await desk.run("list", "--order", "stopped", "--limit", "1")
      let line = try #require(first.output.split(separator: "\n").last)
      let place = try #require(line.split(separator: " ").last)
      #expect(line.hasPrefix("There are more: --after \(other)@"))
      let second = await desk.run("list", "--order", "stopped", "--after", "\(place)")
      #expect(ids(second) == ["\(dead)"])
      let looked = await desk.run("list", "--where", "error~server")
      #expect(looked.output.hasSuffix("3 runs were looked at, all that there are.\n"))
    }

    @Test("Runs are counted, and errors are grouped, one object a line in JSON")
    func counts() async throws {
      let dead = try await desk.deadRun()
      try await desk.start("1", flow: "other")
      #expect(await desk.run("count").output == "2\n")
      #expect(await desk.run("count", "--where", "state=dead").output == "1\n")
      let json = await desk.run("count", "--flow", "none", "--json")
      #expect(json.output == #"{"count": 0, "hasMore": false}"# + "\n")
      let errors = await desk.run("errors", "--json").output
      #expect(errors.split(separator: "\n").count == 1)
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(errors.utf8)) as? [String: Any])
      #expect(object["count"] as? Int == 1 && object["youngest"] as? String == "\(dead)")
      let print = try #require(object["error"] as? String)
      #expect(await desk.run("count", "--where", "error=\(print)").output == "1\n")
      #expect(await desk.run("errors").output.contains("\(print)  1     \(dead)  "))
    }

    @Test(
      "What can't be is refused before a journal is opened",
      arguments: [
        ["--where", "state=alive"], ["--where", "flow=a", "--flow", "b"], ["--order", "any"],
        ["--after", "x"], ["--order", "oldest", "--before", "01M7ZPDGEEG7D4Z239M2CR1K92"],
      ])
    func refusals(arguments: [String]) async {
      let result = await desk.list(arguments)
      #expect(result.status == 2 && result.accesses == [] && result.complaints.count == 1)
    }

    @Test("A part of an error's text is no query, so nothing is counted by it")
    func errorPart() async {
      let result = await desk.run("count", "--where", "error~timeout")
      #expect(result.status == 2)
      #expect(result.complaints.first?.contains("runs list only") == true)
    }
  }
#endif
