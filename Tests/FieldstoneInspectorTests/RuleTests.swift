#if INSPECTOR
  import FieldstoneCore
  import FieldstoneFields
  import FieldstoneForms
  import FieldstoneInspector
  import FieldstoneTesting
  import Foundation
  import Testing

  @MainActor
  @Suite("The rules of a watched form")
  struct RuleTests {
    private let desk = LiveDesk()

    /// The cells of a field's row of rules.
    private func cells(_ key: String) async -> [String] {
      let page = await desk.get("/watched/1").text
      let table = page.components(separatedBy: ">Rules</h2>").last ?? ""
      let row =
        table.components(separatedBy: "<tr>").first { $0.hasPrefix("<td>\(key)</td>") } ?? ""
      return row.components(separatedBy: "<td>").dropFirst().map { cell in
        cell.components(separatedBy: "</td>").first ?? ""
      }
    }

    @Test("Their table says how many there are, why they were asked, and what they have found")
    func rules() async throws {
      let start = Field<Int>("Start", key: "start", value: 3).require(.range(1...9))
      let end = Field<Int>("End", key: "end", value: 5).require(.range(1...9)).require(
        .depending(on: start, code: "early") { end, start in end > (start ?? 0) })
      let note = Field<String>("Note", key: "note")
      let form = FormModel(timing: .onBlur) {
        start
        end
        note
      }
      desk.inspector.watch(form, as: "Span")
      #expect(
        await cells("start") == ["start", "1", "never", "not asked about this value", "none"])
      #expect(await cells("note").isEmpty)
      form[start]?.text = "12"
      form[start]?.blur()
      #expect(await cells("start")[3] == "tooLarge")
      #expect(await cells("start")[2] == "as the field was left")
      #expect(!(await form.validate()))
      #expect(await cells("end") == ["end", "2", "with the whole form", "early", "none"])
      form[start]?.text = "4"
      #expect(await cells("end") == ["end", "2", "as Start changed", "all hold", "none"])
      form[start]?.text = "four"
      #expect(await cells("start")[3].hasSuffix(" (form)"))
      end.validate()
      end.addIssue(FieldIssue("is taken", code: "taken"))
      #expect(await cells("end")[2...3] == ["by a call", "taken (from outside)"])
    }

    @Test("An asynchronous one shows what is left of its debounce, and then its answer")
    func debounce() async throws {
      let (time, gate) = (ManualTime(), Gate())
      let name = Field<String>("Name", key: "name", time: time.source).require(.notBlank).require(
        .asynchronous(code: "taken", debounce: .milliseconds(500)) { _ in
          await gate.wait()
          return false
        })
      let form = FormModel(timing: .onBlur) { name }
      desk.inspector.watch(form, as: "Account")
      let field = try #require(form[name])
      field.text = "ada"
      field.blur()
      await time.sleepers(atLeast: 1)
      #expect(await cells("name")[1] == "1 + 1 asynchronous")
      #expect(await cells("name")[4] == "0.50 s left of 0.50 s")
      time.advance(by: .milliseconds(120))
      #expect(await cells("name")[4] == "0.38 s left of 0.50 s")
      time.advance(by: .milliseconds(380))
      #expect(await cells("name")[4] == "being asked")
      gate.open()
      _ = await form.validate()
      #expect(await cells("name")[3...4] == ["taken (asynchronous)", "answered"])
    }

    @Test("A debounce that a form's validation ends is over")
    func flushed() async throws {
      let (time, gate) = (ManualTime(), Gate())
      let name = Field<String>("Name", key: "name", time: time.source).require(
        .asynchronous(debounce: .seconds(2)) { _ in
          await gate.wait()
          return true
        })
      let form = FormModel(timing: .onBlur) { name }
      desk.inspector.watch(form, as: "Account")
      form[name]?.text = "ada"
      form[name]?.blur()
      await time.sleepers(atLeast: 1)
      let validation = Task { await form.validate() }
      await gate.arrivals(atLeast: 1)
      #expect(await cells("name")[4] == "being asked")
      gate.open()
      #expect(await validation.value)
      #expect(await cells("name")[3...4] == ["all hold", "answered"])
    }

    @Test("A watched field has them on a line")
    func field() async {
      let city = Field<String>("City", value: "Oslo").require(.length(...3))
      desk.inspector.watch(city, as: "City")
      city.validate()
      #expect(await desk.get("/watched/1").text.contains("<dd>1; asked by a call; tooLong</dd>"))
    }
  }
#endif
