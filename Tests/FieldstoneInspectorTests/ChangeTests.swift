#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneServing
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("The inspector's rows of changes")
  struct ChangeTests {
    private let heard = Locked<[InspectorChange]>([])
    private let desk = InspectedJournal()

    private func inspector(_ change: (inout InspectorOptions) -> Void = { _ in }) -> Inspector {
      var options = InspectorOptions.open
      change(&options)
      return Inspector(
        journal: desk.journal, options: options, time: desk.time.source,
        onChange: { [heard] change in heard.withLock { $0.append(change) } })
    }

    private func send(
      _ inspector: Inspector, _ target: String, _ values: [(String, String)],
      _ headers: [String: String] = [:]
    ) async -> SiteResponse {
      let headers = ["Host": "localhost"].merging(headers) { $1 }
      let form = await inspector.response(
        to: SiteRequest(
          target: target.hasPrefix("/runs/") || target.hasPrefix("/all/")
            ? target : "/pause?flow=a",
          headers: headers))
      let hidden = InspectedJournal.hidden(in: form.text)
      let body = (values + hidden).map {
        FormValues.address("", [($0.0, $0.1)]).dropFirst()
      }.joined(separator: "&")
      return await inspector.response(
        to: SiteRequest(
          method: "POST", target: target,
          headers: [
            "Origin": "http://localhost", "Content-Type": "application/x-www-form-urlencoded",
          ].merging(headers) { $1 }, body: Array(body.utf8)))
    }

    @Test("Each change leaves a row, also one that is refused; questions leave none")
    func rows() async throws {
      let inspector = inspector()
      let id = try await desk.deadRun(key: "order <17>")
      let page = await inspector.response(
        to: SiteRequest(target: "/changes", headers: ["Host": "localhost"]))
      #expect(page.text.contains("Nothing was changed through these pages."))
      #expect(await send(inspector, "/runs/\(id)/retry", []).status == 303)
      #expect(await send(inspector, "/pause?flow=order", []).status == 200)
      #expect(heard.withLock { $0.count } == 1)
      #expect(await send(inspector, "/pause?flow=order", [("confirmed", "yes")]).status == 303)
      #expect(await send(inspector, "/all/cancel", [("count", "1")]).status == 303)
      let gone = RunID("00000000000000000000000000")
      let missing = try #require(gone)
      #expect(
        await send(inspector, "/pause?run=\(missing)", [("confirmed", "yes")]).status == 404)
      #expect(await send(inspector, "/timeline/clear", []).status == 303)
      let changes = heard.withLock { $0 }
      #expect(changes.map(\.action) == ["retry", "pause", "cancel all", "pause", "clear"])
      #expect(changes.map { $0.refusal == nil } == [true, true, true, false, true])
      #expect(changes[0].run == id && changes[0].subject == "order <17> of order, stage 0")
      #expect(changes[1].subject == "the flow “order”" && changes[1].run == nil)
      #expect(changes.allSatisfy { $0.person == nil && $0.time == desk.time.now })
      let after = await inspector.response(
        to: SiteRequest(target: "/changes", headers: ["Host": "localhost"])
      ).text
      #expect(after.contains("order &lt;17&gt;") && after.contains(#"href="/runs/\#(id)""#))
      let clear = try #require(after.range(of: ">clear<")?.lowerBound)
      let retry = try #require(after.range(of: ">retry<", options: .backwards)?.lowerBound)
      #expect(clear < retry)
      let rows = try await desk.journal.audit(AuditQuery()).records
      #expect(rows.map(\.action) == [.cancel, .pause, .retry])
      #expect(rows.allSatisfy { $0.actor == "inspector" })
      #expect(after.contains("Kept in the journal") && after.contains(">inspector<"))
    }

    @Test("The rows are bounded and paged")
    func bounded() async throws {
      let inspector = inspector()
      for _ in 0..<1_150 {
        #expect(await send(inspector, "/timeline/clear", []).status == 303)
      }
      func page(_ target: String) async -> String {
        await inspector.response(
          to: SiteRequest(target: target, headers: ["Host": "localhost"])
        ).text
      }
      let first = await page("/changes")
      #expect(first.contains("150 older ones have made room."))
      #expect(first.contains(#"href="/changes?before=1051""#))
      let last = await page("/changes?before=152")
      #expect(last.matches(of: />clear</).count == 1 && !last.contains(">Older<"))
      #expect(await page("/changes?before=151").contains("Nothing was changed"))
    }

    @Test("The person is named by the password's dialog, or by the header of a proxy")
    func person() async throws {
      let password = "correct horse battery"
      let inspector = inspector { $0.password = password }
      let credentials = Data("Ada:\(password)".utf8).base64EncodedString()
      #expect(
        await send(
          inspector, "/timeline/clear", [], ["Authorization": "Basic \(credentials)"]
        ).status == 303)
      #expect(heard.withLock { $0.last?.person } == "Ada")
      let behind = self.inspector { $0.personHeader = "X-Forwarded-User" }
      #expect(
        await send(behind, "/timeline/clear", [], ["x-forwarded-user": "Grace\r\nx"]).status == 303)
      #expect(heard.withLock { $0.last?.person } == "Grace\r\nx")
      #expect(heard.withLock { $0.last?.line.contains("\n") } == false)
      let plain = self.inspector()
      #expect(
        await send(plain, "/timeline/clear", [], ["X-Forwarded-User": "Eve"]).status == 303)
      #expect(heard.withLock { $0.count == 3 && $0.last?.person == nil })
    }
  }
#endif
