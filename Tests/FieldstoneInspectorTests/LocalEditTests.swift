#if INSPECTOR
  import FieldstoneCore
  import FieldstoneInspector
  import FieldstoneLoading
  import FieldstoneServing
  import Foundation
  import Testing

  @MainActor
  @Suite("Local edits, items and pages of a watched object")
  struct LocalEditTests {
    private let desk = LiveDesk()
    /// The beginning of the names that the source gives.
    private let word = Locked("user")

    /// A list of pages of so many items, which goes on for ever.
    private func accounts(_ size: Int) -> PaginatedList<Account, Int> {
      PaginatedList(
        provider: ClosureProvider { [word] (request: PageRequest<Int>) in
          let (start, word) = (request.cursor ?? 0, word.withLock { $0 })
          return ItemPage(
            (start..<start + size).map { Account(id: $0, name: "\(word) \($0)") },
            next: start + size)
        })
    }

    /// The cells of the rows of a table on a page.
    private func rows(_ title: String, at target: String = "/watched/1") async -> [[String]] {
      let page = await desk.get(target).text
      guard let start = page.range(of: ">\(title)</h2>") else { return [] }
      let section = page[start.upperBound...].prefix(upTo: "</section>")
      return section.components(separatedBy: "<tr>").dropFirst(2).map { row in
        row.components(separatedBy: "<td>").dropFirst().map { cell in
          cell.components(separatedBy: "</td>")[0].replacing("&quot;", with: "'")
        }
      }
    }

    @Test("The edits of a list that wait are a table: what was added, changed and removed, and how")
    func list() async throws {
      let list = accounts(3)
      _ = try await list.reload(.firstPage).value
      list.update(2) { $0.name = "before" }
      desk.inspector.watch(list, as: "Accounts")
      #expect(await rows("Local edits") == [["2", "changed", "was made before"]])
      list.update(0) { $0.name = "Ada" }
      list.update(0) {
        $0.name = "Grace"
        $0.accessToken = "hunter2"
      }
      list.insert(Account(id: 9, name: "Joan"), at: .end)
      list.remove(1)
      let edits = await rows("Local edits")
      #expect(edits.map { $0[0] } == ["1", "9", "0", "2"])
      #expect(edits.map { $0[1] } == ["removed", "added", "changed", "changed"])
      #expect(edits[0][2].contains("'user 1'") && edits[0][2].hasSuffix(" → nothing"))
      #expect(edits[1][2].hasPrefix("nothing → ") && edits[1][2].contains("'Joan'"))
      // Only what differs, from the value of the source.
      #expect(edits[2][2] == "'name': 'user 0' → 'name': 'Grace'")
      // Pages replace them; a later edit begins with the value that was loaded.
      word.withLock { $0 = "person" }
      _ = try await list.reload(.firstPage).value
      #expect(await rows("Local edits").isEmpty)
      list.update(0) { $0.name = "Mary" }
      #expect(await rows("Local edits").map { $0[2] } == ["'name': 'person 0' → 'name': 'Mary'"])
      let page = await desk.get("/watched/1").text
      #expect(!page.contains("hunter2") && !page.contains("t0p"))
    }

    @Test("At most 50 edits are shown, the newest first, and their number is told")
    func bounded() async throws {
      let list = accounts(120)
      _ = try await list.reload(.firstPage).value
      desk.inspector.watch(list, as: "Accounts")
      for number in 0..<70 { list.update(number) { $0.name = "changed" } }
      let edits = await rows("Local edits")
      #expect(edits.map { $0[0] } == (20..<70).reversed().map { "\($0)" })
      #expect(await desk.get("/watched/1").text.contains("The last 50 of 70 are shown."))
    }

    @Test("Each edit of a list is an event, with what it changed")
    func events() async throws {
      let (list, tokens) = (accounts(3), accounts(3))
      _ = try await list.reload(.firstPage).value
      _ = try await tokens.reload(.firstPage).value
      desk.inspector.watch(list, as: "Accounts")
      desk.inspector.watch(tokens, as: "Access tokens")
      #expect(list.update(0) { $0.name = "<Ada>" })
      #expect(!list.update(7) { $0.name = "nobody" } && !list.remove(7))
      list.insert(Account(id: 9, name: "Joan"))
      list.remove(9)
      tokens.update(0) { $0.name = "hunter2" }
      let page = await desk.get("/timeline?from=Accounts").text
      for text in ["update", "insert", "remove"] {
        #expect(page.components(separatedBy: ">\(text)</span>").count == 2, "\(text)")
      }
      let change = "0: 'name': 'user 0' → 'name': '&lt;Ada&gt;'"
      #expect(page.replacing("&quot;", with: "'").contains(change))
      #expect(!page.contains("nobody"))
      let hidden = await desk.get("/timeline?from=Access%20tokens").text
      #expect(hidden.contains("•••: ••• → •••") && !hidden.contains("hunter2"))
      #expect(!(await desk.get("/watched/2").text.contains("hunter2")))
    }

    @Test("A list with a redacted name shows neither its identifiers nor its cursors")
    func hidden() async throws {
      struct Session: Identifiable, Sendable { var id: String }
      let list = PaginatedList<Session, String>(
        provider: ClosureProvider { (_: PageRequest<String>) in
          ItemPage(
            [Session(id: "hunter-1"), Session(id: "hunter-2")], next: "hunter-3",
            previous: "hunter-4")
        })
      _ = try await list.reload(.firstPage).value
      desk.inspector.watch(list, as: "Access tokens")
      list.update("hunter-1") { _ in }
      list.insert(Session(id: "hunter-5"))
      for target in ["/watched/1", "/watched", "/timeline", "/timeline.json"] {
        #expect(!(await desk.get(target).text.contains("hunter")), "\(target)")
      }
      #expect(await rows("Items").map { $0[1] } == ["•••", "•••", "•••"])
      #expect(await rows("Pages").first?.suffix(2) == ["•••", "•••"])
    }

    @Test("Local changes of a value are a table and events, until a load has them")
    func integrator() async throws {
      let names = Integrator(
        provider: ClosureProvider { (_: Int) in ["Ada", "Grace"] }, errorHandlers: ErrorHandlers())
      desk.inspector.watch(names, as: "Names")
      _ = try await names(1)
      #expect(await rows("Local changes").isEmpty)
      let first = names.update { $0[0] = "Joan" }
      let second = names.update { $0.append("Mary") }
      var changes = await rows("Local changes")
      #expect(changes.map { $0[1] } == ["pending", "pending"])
      #expect(changes.map { $0[2] } == ["nothing → 'Mary'", "'Ada' → 'Joan'"])
      second.confirm()
      changes = await rows("Local changes")
      #expect(changes.map { $0[1] } == ["confirmed", "pending"])
      first.rollBack()
      let page = await desk.get("/timeline?from=Names").text
      #expect(page.components(separatedBy: ">update</span>").count == 3)
      #expect(page.contains(">confirm</span>") && page.contains(">roll back</span>"))
      #expect(page.contains("&quot;Ada&quot; → &quot;Joan&quot;"))
      _ = try await names(1)
      #expect(await rows("Local changes").isEmpty)
    }

    @Test("The items of a list are paged from any of them on, and its pages have their cursors")
    func paging() async throws {
      let list = accounts(40)
      _ = try await list.reload(.firstPage).value
      for _ in 0..<2 { _ = try await list.loadMore().value }
      desk.inspector.watch(list, as: "Accounts")
      #expect(await rows("Items").map { $0[0] } == (0..<50).map { "\($0)" })
      let first = await desk.get("/watched/1").text
      #expect(first.contains("href=\"/watched/1?from=50\"") && !first.contains("Earlier items"))
      #expect(await rows("Pages").map { $0[0] } == ["0", "1", "2"])
      #expect(await rows("Pages")[1] == ["1", "40–79", "40", "none", "80"])
      let second = "/watched/1?from=50"
      #expect(await rows("Items", at: second).map { $0[1] } == (50..<100).map { "\($0)" })
      #expect(await rows("Pages", at: second).map { $0[0] } == ["1", "2"])
      let page = await desk.get(second).text
      #expect(page.contains("href=\"/watched/1\"") && page.contains("href=\"/watched/1?from=100\""))
      // An index beyond the end shows the last items.
      for target in ["/watched/1?from=100", "/watched/1?from=9000", "/watched/1?from=\(Int.max)"] {
        #expect(await rows("Items", at: target).first?[0] == "100")
      }
      #expect(await rows("Items", at: "/watched/1?from=-7").first?[0] == "0")
      #expect(await desk.get("/watched/1?from=x").status == 400)
      // The live part of a page is that of its address.
      let live = await desk.get("/live?page=/watched/1%3Ffrom%3D50").text
      #expect(live.contains("user 60") && !live.contains("user 30"))
    }

    @Test("An empty list has no items and no pages")
    func empty() async {
      desk.inspector.watch(accounts(3), as: "Accounts")
      let list = accounts(3)
      desk.inspector.watch(list, as: "Others")
      for target in ["/watched/2", "/watched/2?from=50"] {
        #expect(await desk.get(target).status == 200)
        #expect(await rows("Items", at: target).isEmpty)
      }
      #expect(await desk.get("/watched/1?from=50").text.contains("The list is released."))
    }
  }

  extension Substring {
    /// The part before a text, or all of it.
    fileprivate func prefix(upTo text: String) -> String {
      String(range(of: text).map { self[..<$0.lowerBound] } ?? self)
    }
  }
#endif
