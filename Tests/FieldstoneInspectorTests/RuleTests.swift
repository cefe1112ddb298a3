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

    @Test("A debounce without end is shown, too")
    func endless() async throws {
      let time = ManualTime()
      let name = Field<String>("Name", key: "name", time: time.source).require(
        .asynchronous(code: "taken", debounce: .seconds(Int64.max)) { _ in true })
      let form = FormModel(timing: .onBlur) { name }
      desk.inspector.watch(form, as: "Account")
      let field = try #require(form[name])
      field.text = "ada"
      field.blur()
      await time.sleepers(atLeast: 1)
      #expect(await cells("name")[4] == "100000000000.00 s left of 100000000000.00 s")
    }

    /// The rows of a table below its title.
    private func rows(_ title: String) async -> [[String]] {
      let page = await desk.get("/watched/1").text
      guard let table = page.components(separatedBy: ">\(title)</h2>").dropFirst().first else {
        return []
      }
      let body = table.components(separatedBy: "</table>").first ?? ""
      return body.components(separatedBy: "<tr>").dropFirst(2).map { row in
        row.components(separatedBy: "<td>").dropFirst().map { cell in
          cell.components(separatedBy: "</td>").first ?? ""
        }
      }
    }

    @Test("Each rule has its name, and whether it held")
    func each() async throws {
      let start = Field<Int>("Start", key: "start", value: 3).require(.range(1...9))
      let end = Field<Int>("End", key: "end", value: 5).require(.atLeast(1)).require(
        message: "must be odd"
      ) { $0 % 2 == 1 }.require(
        .depending(on: start, code: "early") { end, start in end > (start ?? 0) })
      let note = Field<String>("Note", key: "note").require(.length(...3)).require(.notNil)
      let tags = ArrayField(Field<String>("Tag").require(.notBlank), key: "tags")
      let form = FormModel(timing: .onSubmit) {
        start
        end
        note
        tags
      }
      desk.inspector.watch(form, as: "Span")
      tags.value = ["a", " "]
      #expect(
        await rows("Each rule").map { $0[1] } == [
          "range", "atLeast", "must be odd", "early", "length", "notNil", "notBlank",
        ])
      #expect(await rows("Each rule").allSatisfy { $0[3].hasPrefix("did not run: not asked") })
      form[end]?.text = "2"
      #expect(!(await form.validate()))
      #expect(
        await rows("Each rule").map { $0[3] } == [
          "held", "held", "failed", "failed", "did not run: there is no value", "failed", "failed",
        ])
      #expect(await rows("Each rule").map { $0[2] }.suffix(2) == ["at once", "of each item"])
      form[end]?.text = "7"
      end.validate()
      #expect(await rows("Each rule")[1...3].map { $0[3] } == ["held", "held", "held"])
    }

    @Test("A rule that did not run says why: others failed, a debounce, another value")
    func whyNot() async throws {
      let (time, gate) = (ManualTime(), Gate())
      let name = Field<String>("Name", key: "name", time: time.source).require(.notBlank).require(
        .asynchronous(code: "taken", debounce: .milliseconds(500)) { _ in
          await gate.wait()
          return false
        }
      ).require(.asynchronous(code: "rude", debounce: .zero) { _ in true })
      let form = FormModel(timing: .onBlur) { name }
      desk.inspector.watch(form, as: "Account")
      let field = try #require(form[name])
      field.text = " "
      field.blur()
      #expect(
        await rows("Each rule").map { $0[3] } == [
          "failed", "did not run: the rules before it failed",
          "did not run: the rules before it failed",
        ])
      field.text = "ada"
      await time.sleepers(atLeast: 1)
      time.advance(by: .milliseconds(120))
      #expect(
        await rows("Each rule").map { $0[3] } == [
          "held", "waits: 0.38 s left of 0.50 s", "being asked",
        ])
      time.advance(by: .milliseconds(380))
      await gate.arrivals(atLeast: 1)
      #expect(await rows("Each rule")[1][3] == "being asked")
      field.text = "grace"
      #expect(await rows("Each rule")[1][3] == "waits: 0.50 s left of 0.50 s")
      gate.open()
      _ = await form.validate()
      #expect(await rows("Each rule").map { $0[3] } == ["held", "failed", "held"])
    }

    @Test("A rule that was asked about another value, or after the form's own finding, says so")
    func givenUp() async throws {
      let gate = Gate()
      let age = Field<Int>("Age", key: "age", value: 7).require(
        .asynchronous { _ in
          await gate.wait()
          return true
        })
      let form = FormModel(timing: .onSubmit) { age }
      desk.inspector.watch(form, as: "Person")
      let asking = Task { await age.validateAll() }
      await gate.arrivals(atLeast: 1)
      age.value = 8
      #expect(
        await rows("Each rule").map { $0[3] } == [
          "did not run: the value changed while it was asked"
        ])
      gate.open()
      #expect(await asking.value == .unknown)
      form[age]?.text = "eight"
      age.validate()
      #expect(
        await rows("Each rule").map { $0[3] } == [
          "did not run: the form&#39;s own finding comes first"
        ]
      )
    }

    @Test("The edits to undo and redo are steps with their texts; secrets are dots")
    func edits() async throws {
      let age = Field<Int>("Age", key: "age", value: 7)
      let pass = Field<String>("Pass", key: "pass").presented(as: .secure)
      let tags = ArrayField(Field<String>("Tag"), key: "tags")
      let form = FormModel {
        age
        pass
        tags
      }
      desk.inspector.watch(form, as: "Person")
      #expect(await rows("Undo").isEmpty)
      form[age]?.text = "old"
      form[pass]?.text = "hunter2"
      Fields.batch {
        age.value = 12
        tags.value = ["a", "b"]
      }
      #expect(
        await rows("Undo") == [
          ["1", "age", "“old” → “12”"], ["1", "tags", "“” → “a, b”"], ["2", "pass", "••• → •••"],
          ["3", "age", "“7” → “old”"],
        ])
      #expect(!(await desk.get("/watched/1").text.contains("hunter2")))
      form.undo()
      form.undo()
      #expect(await rows("Undo") == [["1", "age", "“7” → “old”"]])
      #expect(
        await rows("Redo") == [
          ["1", "pass", "••• → •••"], ["2", "age", "“old” → “12”"], ["2", "tags", "“” → “a, b”"],
        ])
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
