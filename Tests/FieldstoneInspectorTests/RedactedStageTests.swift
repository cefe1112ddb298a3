#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneServing
  import FieldstoneTesting
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("Redacted members of stages")
  struct RedactedStageTests {
    private let desk = InspectedJournal()

    private static let stage =
      #"{"send":{"amount":1.10000000000000000001,"password":"hunter1","to":[{"pass\u0057ord":"hunter2"},"#
      + #"{"apiKey":{"a":["hunter3",1e30]}}],"token":12345678901234567890}}"#

    private static let shown =
      #"{"send":{"amount":1.10000000000000000001,"password":"•••","to":[{"pass\u0057ord":"•••"},"#
      + #"{"apiKey":"•••"}],"token":"•••"}}"#

    /// The text in the form's only text area.
    private func area(of page: String) throws -> String {
      let match = try #require(page.firstMatch(of: /<textarea[^>]*>\n?([^<]*)<\/textarea>/))
      return [("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&#39;", "'"), ("&amp;", "&")]
        .reduce(String(match.1)) { $0.replacing($1.0, with: $1.1) }
    }

    private func payload(_ id: RunID) async throws -> String {
      let run = try #require(try await desk.journal.run(id))
      return String(decoding: run.payload, as: UTF8.self)
    }

    @Test("They are dots in pages, downloads and copies; all other bytes are exact")
    func pages() async throws {
      let id = try await desk.longRun([
        Self.stage, Self.stage.replacing("hunter1", with: "hunter9"),
      ])
      for target in ["/runs/\(id)", "/runs/\(id)/copy", "/runs", "/"] {
        let text = await desk.get(target).text
        #expect(!text.contains("hunter") && !text.contains("1234567890"), "\(target)")
      }
      let page = await desk.get("/runs/\(id)").text
      #expect(page.contains("1.10000000000000000001"))
      // The difference says that the value has changed.
      #expect(
        page.matches(of: /<(?:ins|del)>[^<]*<b>&quot;password&quot;: <\/b>&quot;•••&quot;/).count
          == 2)
      #expect(await desk.get("/runs/\(id)/stages/0.json").text == Self.shown)
      #expect(await desk.get("/runs/\(id)/stages/1.json").text == Self.shown)
    }

    @Test(
      "A stage that is no case of an enumeration has no hidden value in its name",
      arguments: [
        #"{"token":"hunter1","id":1}"#, #"{"id":1,"password":"hunter1"}"#,
        #"[{"token":"hunter1"}]"#,
        #"{"id":1,"token":"\#(String(repeating: "hunter1", count: 1_000))"}"#,
      ])
    func names(_ stage: String) async throws {
      let id = try await desk.longRun([stage, stage, #"{"done":{}}"#], flow: "order")
      let dead = try await desk.deadRun(stage)
      for target in [
        "/", "/runs", "/runs/\(id)", "/runs/\(dead)", "/runs/\(id)/path.svg", "/flow?name=order",
        "/live?page=%2Fruns", "/runs/\(dead)/edit", "/runs/\(dead)/retry", "/runs/\(dead)/fork",
        "/runs/\(dead)/copy", "/all/edit?flow=order",
      ] {
        #expect(!(await desk.get(target).text.contains("hunter")), "\(target)")
      }
    }

    @Test(
      "Of the names that are given, letters and digits count",
      arguments: [
        ("credit_card", "creditCard"), ("oauth2", "OAUTH2"), ("IBAN", "iban"),
        ("card number", "card-number"), ("größe", "Größe"),
      ])
    func givenNames(_ given: String, _ member: String) async throws {
      let desk = InspectedJournal { $0.redactedNames.insert(given) }
      let id = try await desk.start("{\"pay\":{\"\(member)\":\"hunter1\",\"oauth\":\"shown\"}}")
      let page = await desk.get("/runs/\(id)").text
      #expect(!page.contains("hunter") && page.contains("shown"))
    }

    @Test("A stage that is no JSON, or that is cut, is redacted, too")
    func odd() async throws {
      let long = String(repeating: "1,", count: 50_000) + "1"
      for stage in [#"{"send":{"password":"hunter1","x":[\#(long)]}}"#] {
        let id = try await desk.start(stage)
        let page = await desk.get("/runs/\(id)").text
        #expect(!page.contains("hunter") && page.contains("•••"))
      }
    }

    @Test("Attributes with a redacted name are dots")
    func attributes() async throws {
      let id = RunID(at: desk.time.now, slot: 1)
      var start = RunStart(id: id, flow: "order", version: 1, payload: Data("{}".utf8))
      start.attributes = ["accessToken": .string("hunter2"), "customer": .string("ada")]
      _ = try await desk.journal.start(start, at: desk.now)
      let page = await desk.get("/runs/\(id)").text
      #expect(page.contains("accessToken=•••") && page.contains("customer=ada"))
      #expect(!page.contains("hunter2"))
    }

    @Test("An edit keeps the values of dots that are left, wherever they are moved")
    func edit() async throws {
      let id = try await desk.deadRun(Self.stage)
      let form = await desk.get("/runs/\(id)/edit").text
      #expect(!form.contains("hunter"))
      let text = try area(of: form)
      #expect(text.contains(#""•••1""#) && text.contains(#""•••4""#))
      let edited = text.replacing("1.10000000000000000001", with: "2.50")
      let target = "/runs/\(id)/edit"
      let review = await desk.post(
        target, [("payload", edited)] + InspectedJournal.hidden(in: form))
      #expect(review.status == 200 && !review.text.contains("hunter"))
      #expect(review.text.components(separatedBy: "<ins>").count == 2)
      let done = await desk.post(target, InspectedJournal.hidden(in: review.text))
      #expect(done.status == 303)
      #expect(
        try await payload(id) == Self.stage.replacing("1.10000000000000000001", with: "2.50"))
      // The audit log has the stage, and its page shows dots.
      let changes = await desk.get("/changes").text
      #expect(changes.contains("•••") && !changes.contains("hunter"))
    }

    @Test("A hidden value can be replaced, and an item can be removed without mixing the others up")
    func moved() async throws {
      let stage =
        #"{"send":[{"id":1,"token":"hunter1"},{"id":2,"token":"hunter2"},{"id":3,"token":"x"}]}"#
      let id = try await desk.deadRun(stage)
      let edited = #"{"send":[{"id":2,"token":"•••2"},{"id":3,"token":"new"}]}"#
      #expect(await desk.act("edit", on: id, [("payload", edited)]).status == 303)
      #expect(
        try await payload(id) == #"{"send":[{"id":2,"token":"hunter2"},{"id":3,"token":"new"}]}"#)
    }

    @Test(
      "Dots are never written, and no hidden value becomes visible",
      arguments: [
        #"{"send":{"token":"•••"}}"#, #"{"send":{"token":"•••2"}}"#, #"{"send":{"token":"•••0"}}"#,
        #"{"send":{"note":"•••1"}}"#, #"{"send":{"token":{"a":"•••1"}}}"#,
        #"{"send":{"note":"\u2022\u2022\u20221"}}"#,
      ])
    func strayDots(_ edited: String) async throws {
      let stage = #"{"send":{"token":"hunter1"}}"#
      let id = try await desk.deadRun(stage)
      let response = await desk.act("edit", on: id, [("payload", edited)])
      #expect(response.status == 422 && response.text.contains("dots stand for"))
      #expect(try await payload(id) == stage)
    }

    @Test("A signal's payload is reviewed with dots, and sent as it was written")
    func signal() async throws {
      let id = try await desk.receivingRun("approved")
      let form = await desk.get("/runs/\(id)/signal").text
      let review = await desk.post(
        "/runs/\(id)/signal",
        [("name", "approved"), ("payload", #"{"token":"hunter2"}"#), ("identifier", "a")]
          + InspectedJournal.hidden(in: form))
      let difference = review.text.components(separatedBy: "<pre class=\"json\"").last ?? ""
      let shown = difference.components(separatedBy: "</pre>").first ?? ""
      #expect(shown.contains("•••") && !shown.contains("hunter"))
      #expect(
        await desk.post("/runs/\(id)/signal", InspectedJournal.hidden(in: review.text)).status
          == 303)
    }
  }
#endif
