#if CommandLineTool
  import FieldstoneCommand
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import FieldstoneStages
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("A command that knows an app's flows and signals")
  struct KnownFlowsTests {
    private enum Order: Stage, Codable {
      case read(Int)
      case close
      func next() async throws -> Step<Self, Int> { .complete(1) }
    }

    private let desk = Desk()

    init() { desk.knownFlows.withLock { $0 = [DurableFlow(Order.self, name: "order")] } }

    @Test(
      "Of many that are edited, those whose stage the flow can't decode are left alone, and told")
    func editsMany() async throws {
      let good = try await desk.start(#"{"read":{"_0":1}}"#)
      desk.time.advance(by: .milliseconds(2))
      let bad = try await desk.start(#"{"read":{"_1":1}}"#)
      let edit = ["edit", "--flow", "order", "--patch", #"{"read":{"by":2}}"#]
      let dry = await desk.run(edit + ["--dry-run"])
      #expect(dry.output.hasPrefix("1 run would be edited.\n"))
      #expect(dry.output.contains("1 run is left alone. Stage 0 of run \(bad) can't be read"))
      let result = await desk.run(edit + ["--yes"])
      #expect(result.output.contains("1 run edited.\n1 run is left alone."))
      let stages = [try await desk.journal.run(good), try await desk.journal.run(bad)]
        .map { $0.map { String(decoding: $0.payload, as: UTF8.self) } }
      #expect(stages == [#"{"read":{"_0":1,"by":2}}"#, #"{"read":{"_1":1}}"#])
    }

    @Test("The payload of a known signal is decoded before it is sent, unless told otherwise")
    func signals() async throws {
      let id = try await desk.start("1")
      let known = try OfferedSignal(SignalName("count", example: 7))
      desk.knownSignals.withLock { $0 = [known] }
      let refused = await desk.run("signal", "\(id)", "count", "--payload", #""many""#)
      #expect(refused.status == 2 && refused.accesses == [])
      #expect(refused.complaints.first?.contains("no value of the signal count") == true)
      #expect(refused.complaints.first?.contains("such as 7, or say --unchecked.") == true)
      // Without a payload it is null, which is no number.
      #expect(await desk.run("signal", "\(id)", "count").status == 2)
      let many = await desk.run("signal", "count", "--flow", "order", "--payload", "{}", "--yes")
      #expect(many.status == 2 && many.accesses == [])
      #expect(await desk.run("signal", "\(id)", "count", "--payload", "12").status == 0)
      #expect(await desk.run("signal", "\(id)", "other", "--payload", "{}").status == 0)
      let unchecked = await desk.run("signal", "\(id)", "count", "--payload", "{}", "--unchecked")
      #expect(unchecked.status == 0)
      let sent = try await desk.advance(
        try await desk.claim(), to: .receiving(Data("2".utf8), signals: ["count"], until: nil))
      #expect(sent.state == .ready)
      let request = ClaimRequest(
        worker: "worker 1", flows: [.init(flow: "order", version: 1, limit: 1)],
        lease: .seconds(60))
      let claim = try await desk.journal.claim(request, at: desk.now)
      #expect(claim.runs.first?.signal?.payload == Data("12".utf8))
    }

    @Test("An edit and a fork are decoded before they are written")
    func decodes() async throws {
      let id = try await desk.deadRun()
      let refused = await desk.run("edit", "\(id)", "--stage", #"{"reed":{"_0":9}}"#, "--yes")
      #expect(refused.status == 2 && refused.accesses == [.reading])
      #expect(refused.complaints.first?.contains("can't be read by this code") == true)
      let newer = await desk.run(
        "edit", "\(id)", "--stage", #"{"read":{"_0":9}}"#, "--yes", "--flow-version", "2")
      #expect(newer.status == 2 && newer.complaints.first?.contains("version 2") == true)
      #expect(
        await desk.run("edit", "\(id)", "--stage", #"{"read":{"_0":9}}"#, "--yes").status == 0)
      let open = await desk.run("fork", "\(id)", "--from", "0", "--yes")
      #expect(open.status == 2 && open.complaints.first?.contains("Stage 0") == true)
      #expect(try await desk.journal.runs(RunQuery()).runs.count == 1)
      let fork = await desk.run("fork", "\(id)", "--from", "1", "--yes")
      #expect(fork.status == 0 && !fork.output.contains("not checked"))
    }

    @Test(
      "A check lists the runs that the build would block, and ends with status 2",
      arguments: [false, true])
    func checks(isJSON: Bool) async throws {
      let good = try await desk.start(#"{"close":{}}"#)
      #expect(await desk.flows("check").output == "1 run can be read.\n")
      let bad = try await desk.start(#"{"reed":{"_0":9}}"#)
      _ = try await desk.start("1", flow: "other")
      let over = try await desk.start("nonsense", flow: "order")
      try await desk.journal.change(over, .cancel, at: desk.now)
      let result = await (isJSON ? desk.flows("check", "--json") : desk.flows("check"))
      #expect(result.status == 2 && result.accesses == [.reading] && result.complaints == [])
      let lines = result.output.split(separator: "\n")
      #expect(lines[0].contains("\(bad)") && !result.output.contains("\(good)"))
      #expect(!result.output.contains("\(over)"))
      if isJSON {
        let row = try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any]
        #expect(lines.count == 1 && row?["sequence"] as? Int == 0)
        #expect((row?["reason"] as? String)?.isEmpty == false)
      } else {
        #expect(lines.count == 3 && lines[1].hasPrefix("other: 1 run of another flow"))
        #expect(lines[2] == "1 of 2 runs would be blocked.")
      }
    }
  }
#endif
