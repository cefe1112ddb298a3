#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneServing
  import Testing

  @Suite("Runs whose key can't be seen")
  struct RunTitleTests {
    private let desk = InspectedJournal()

    private static let blanks = ["", " ", "\n\t", "\u{A0}", "\u{200B}", "\u{3164}"]

    /// Whether a link of a page has no text to see or to click on.
    private func hasEmptyLink(_ page: String) -> Bool {
      page.contains(/<a [^>]*>[\s\u{200B}\u{3164}]*<\/a>/)
    }

    @Test("Its identifier is the link of its row, beside a word about the key", arguments: blanks)
    func row(key: String) async throws {
      let id = try await desk.start(key: key)
      let page = await desk.get("/runs").text
      #expect(page.contains(#"<a class="id" href="/runs/\#(id)">\#(id)</a>"#))
      #expect(page.contains(key.isEmpty ? "(empty key)" : "(blank key)"))
      #expect(!hasEmptyLink(page))
    }

    @Test("Its identifier is the heading of its page and the link of its forms", arguments: blanks)
    func pages(key: String) async throws {
      let id = try await desk.deadRun(key: key)
      let page = await desk.get("/runs/\(id)").text
      #expect(page.contains("<h1>\(id)</h1>") && page.contains("<title>Run \(id)"))
      #expect(page.contains(key.isEmpty ? "(empty key)" : "(blank key)"))
      for form in ["retry", "edit", "fork", "copy", "children"] {
        let page = await desk.get("/runs/\(id)/\(form)").text
        #expect(page.contains(#"<a href="/runs/\#(id)">\#(id)</a>"#), "\(form)")
        #expect(!hasEmptyLink(page), "\(form)")
      }
      let target = "/all/edit?flow=order"
      let form = InspectedJournal.hidden(in: await desk.get(target).text)
      let review = await desk.post(target, form + [("payload", #"{"send":{"to":"Graz"}}"#)]).text
      #expect(review.contains(#"<a href="/runs/\#(id)">\#(id)</a>"#) && !hasEmptyLink(review))
      _ = await desk.act("retry", on: id)
      #expect(await desk.get("/changes").text.contains("\(id) of order"))
    }

    @Test("A key with something to see is the title, as before")
    func visible() async throws {
      let id = try await desk.start(key: " order 17\n")
      #expect(await desk.get("/runs").text.contains(#"href="/runs/\#(id)">order 17</a>"#))
      let page = await desk.get("/runs/\(id)").text
      #expect(page.contains("<h1>order 17</h1>") && !page.contains("key)"))
    }
  }
#endif
