import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Testing

@Suite("A form against a model of what it promises")
@MainActor
struct FormPropertyTests {
  struct Failed: Error {}

  /// A real form and the model, moved together.
  @MainActor
  final class Pair {
    let oracle = Oracle(taken: [ModelForm.taken])
    let name = Field<String>("name").require(.notBlank)
    let twin = Field<String>("twin")
    let size = Field<Int>("size").require(.range(0...9))
    let code: Field<String>
    let tags = ArrayField(Field<Int>("tag").require(.range(0...9)), name: "tags")
    let form: FormModel
    var model: ModelForm
    var random: SeededGenerator
    var story: [String] = []
    private var identities: [FieldItemID: Int] = [:]
    private let heard = Recorder<Void>()
    private var registration: Registration?

    init(seed: UInt64) {
      random = SeededGenerator(seed: seed)
      let timing = FormTiming.allCases.randomElement(using: &random) ?? .onSubmit
      let limit = [0, 2, 100, 100].randomElement(using: &random) ?? 100
      code = Field<String>("code").require(.length(1...2)).require(oracle.rule())
      name --> twin
      form = FormModel(timing: timing, undoLimit: limit) { [name, twin, size, code, tags] in
        FormSection("Texts") {
          name; twin
        }
        FormSection("Others") {
          size; code; tags
        }
      }
      form.require(name, size, at: size, code: "pair") { $0 != "a" || $1 != nil }
      model = ModelForm(timing: timing, limit: limit)
      registration = code.observeValidation { [heard] _ in heard.record(()) }
      story.append("\(timing), limit \(limit)")
    }

    private func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    private func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    private func texts(for field: Int) -> [String] {
      switch field {
      case ModelForm.size: ["", "0", "5", "07", "7", "12", "-3", "x"]
      case ModelForm.code: ["", "a", "b", "c", "abc"]
      default: ["", "a", "b", " "]
      }
    }

    private func set(_ field: Int, to text: String?) {
      switch field {
      case ModelForm.name: name.value = text
      case ModelForm.twin: twin.value = text
      case ModelForm.size: size.value = text.flatMap { Int($0) }
      default: code.value = text
      }
    }

    /// A value of a field by code, as text; nil for nil.
    private func value(for field: Int) -> String? {
      let text = pick(texts(for: field))
      if field == ModelForm.size { return Int(text).map { "\($0)" } }
      return text == "" && number(0..<2) == 0 ? nil : text
    }

    // MARK: - Acts

    /// Something that may happen at any time.
    func edit() {
      let field = number(0..<4)
      switch number(0..<24) {
      case 0..<4:
        let value = value(for: field)
        story.append("set \(ModelForm.keys[field]) \(value ?? "nil")")
        set(field, to: value)
        model.set(ModelForm.Value(text: value), of: field)
      case 4..<9:
        let text = pick(texts(for: field))
        story.append("type \(ModelForm.keys[field]) “\(text)”")
        form.fields[field].text = text
        model.type(text, in: field)
      case 9..<11:
        let target = number(0..<6)
        let focus = target < 5 ? target : nil
        story.append("focus \(focus.map { ModelForm.keys[$0] } ?? "nothing")")
        form.focusedField = focus.map { form.fields[$0] }
        model.moveFocus(to: focus)
      case 11:
        story.append("blur \(ModelForm.keys[field])")
        form.fields[field].blur()
        if model.focus == field { model.moveFocus(to: nil) } else { model.leave(field) }
      case 12: batch()
      case 13..<15:
        story.append("undo")
        #expect(form.undo() == model.undo())
      case 15..<17:
        story.append("redo")
        #expect(form.redo() == model.redo())
      case 17: report()
      case 18: answer()
      default: editItems()
      }
    }

    private func batch() {
      let sets = (0..<number(1..<5)).map { _ in
        let field = pick([ModelForm.name, ModelForm.size, ModelForm.code])
        return (field: field, text: value(for: field))
      }
      story.append("batch \(sets)")
      Fields.batch { for (field, text) in sets { set(field, to: text) } }
      model.batch(sets)
    }

    private func issues() -> [(key: Int?, text: String)] {
      [nil, 0, 2, 4].filter { _ in number(0..<2) == 0 }.map {
        (key: $0, text: "r\(number(0..<99))")
      }
    }

    private func fieldIssues(_ issues: [(key: Int?, text: String)]) -> [FieldIssue] {
      issues.map { key, text in
        FieldIssue(code: text).at(key.map { ModelForm.keys[$0] } ?? "nobody")
      }
    }

    private func report() {
      let (issues, source) = (issues(), pick(["server", "checker"]))
      story.append("report \(issues) from \(source)")
      form.report(fieldIssues(issues), from: source)
      model.report(issues, from: source)
    }

    private func answer() {
      let code = pick(["a", "b", "c"])
      story.append("answer \(code)")
      oracle.answer(code)
      model.answerable.insert(code)
    }

    private func editItems() {
      let tags = form.fields[ModelForm.tags]
      let count = model.items.count
      let what = number(0..<7)
      if what == 0 || count == 0 {
        let value = number(-1..<12)
        story.append("append \(value)")
        if what == 0 { tags.appendItem("\(value)") } else { self.tags.append(value) }
        return model.append(value)
      }
      let index = number(0..<count)
      let item = tags.items[index].id
      switch what {
      case 1, 2:
        let text = pick(["", "1", "02", "2", "x", "30"])
        story.append("type item \(index) “\(text)”")
        tags.setText(text, of: item)
        model.type(text, at: index)
      case 3:
        let destination = number(0..<count)
        story.append("move \(index) to \(destination)")
        tags.moveItem(item, to: destination)
        model.move(from: index, to: destination)
      case 4:
        story.append("touch \(index)")
        tags.touch(item)
        model.touch(at: index)
      case 5:
        let byCode = number(0..<2) == 0
        story.append("remove \(index)\(byCode ? " by code" : "")")
        if byCode { _ = try? self.tags.remove(item) } else { tags.removeItem(item) }
        model.remove(at: index, byCode: byCode)
      default:
        let value = number(0..<12)
        story.append("replace \(index) by \(value)")
        _ = try? self.tags.replace(item, with: value)
        model.replace(at: index, with: value)
      }
    }

    /// Anything at all.
    func act() async {
      switch number(0..<20) {
      case 0: await submit()
      case 1 where number(0..<3) == 0:
        story.append("reset")
        form.reset()
        model.reset()
      case 2 where number(0..<3) == 0:
        story.append("rebaseline")
        form.rebaseline()
        model.rebaseline()
      default: edit()
      }
      await settle()
    }

    /// Waits for the answer, where it can be had.
    func settle() async {
      _ = model.settle()
      guard !isAtFault, !model.isAsking else { return }
      // Also where a submit has taken the model's answer: it may have ended before the real one.
      while !Task.isCancelled {
        let count = heard.count
        guard form.at("code").state == .validating else { return }
        await heard.elements(atLeast: count + 1)
      }
    }

    // MARK: - Submitting

    private enum Ending: CaseIterable {
      case success, rejection, failure
    }

    private func submit() async {
      let ending = pick(Ending.allCases)
      let issues = issues()
      let isCancelled = number(0..<6) == 0
      story.append("submit, \(ending) {")
      let begun = Recorder<Void>()
      let task = Task {
        begun.record(())
        return await form.submit {
          _ = model.settle()
          model.beginSending()
          #expect(form.phase == .submitting && !model.isInvalid)
          for _ in 0..<number(0..<3) {
            edit()
            await settle()
          }
          switch ending {
          case .success: return
          case .rejection: throw FormRejection(fieldIssues(issues))
          case .failure: throw Failed()
          }
        }
      }
      model.beginSubmit()
      await begun.elements(atLeast: 1)
      // While it waits for an answer anything may happen.
      let waits = !model.isInvalid
      if waits {
        for _ in 0..<number(0..<4) where model.isWaiting {
          edit()
          check()
          #expect(await form.submit {}.cancellation == .busy)
        }
      }
      if waits, model.isWaiting, isCancelled {
        story.append("cancelled }")
        task.cancel()
        #expect(await task.value.cancellation == .caller)
        model.phase = .editing
        // Whoever asked beside it goes on, and is asked no more than once.
        if form.at("code").state == .unknown { model.fields[ModelForm.code].answer = .none }
        return
      }
      while waits, model.isWaiting { open() }
      let outcome = await task.value
      if waits, model.phase == .validating { _ = model.settle() }
      story.append("}")
      switch (model.phase == .submitting, ending) {
      case (false, _):
        #expect(outcome.error is FormError)
        model.fail()
      case (true, .success):
        #expect(outcome.error == nil && outcome.cancellation == nil)
        model.succeed()
      case (true, .rejection):
        #expect(outcome.error is FormRejection)
        model.reject(issues)
      case (true, .failure):
        #expect(outcome.error is Failed)
        model.fail()
      }
    }

    private func open() {
      let code = model.text(ModelForm.code)
      story.append("open \(code)")
      oracle.answer(code)
      model.answerable.insert(code)
    }

    /// Lets everybody go.
    func end() {
      for code in ["a", "b", "c"] { oracle.answer(code) }
    }

    // MARK: - Comparing

    private var isAtFault = false

    private func differ<Shown: Equatable>(
      _ what: @autoclosure () -> String, _ real: Shown, _ model: Shown
    ) {
      guard real != model, !isAtFault else { return }
      isAtFault = true
      story.append("— \(what()) is \(real), the model says \(model)")
    }

    @discardableResult
    func check() -> Bool {
      for (field, shown) in form.fields.enumerated() {
        let (entry, key) = (model.fields[field], ModelForm.keys[field])
        if field != ModelForm.tags { differ("\(key).text", shown.text, model.text(field)) }
        differ("\(key) modified", shown.isModified, model.isModified(field))
        differ("\(key) edited", shown.isEdited, entry.isEdited)
        differ("\(key) touched", shown.isTouched, entry.isTouched)
        differ("\(key) issues", shown.codes, model.codes(field))
        let state =
          switch shown.state {
          case .unknown: "unknown"
          case .validating: "validating"
          case .valid: "valid"
          case .invalid: "invalid"
          }
        differ("\(key) state", state, model.state(field))
      }
      differ(
        "value of size", size.value.map { "\($0)" }, model.fields[ModelForm.size].now.value.text)
      differ("value of name", name.value, model.fields[ModelForm.name].now.value.text)
      checkItems()
      let invalid = ModelForm.keys.indices.count { model.state($0) == "invalid" }
      let modified = ModelForm.keys.indices.count { model.isModified($0) }
      differ("invalid", form.invalidCount, invalid)
      differ("modified", form.modifiedCount, modified)
      differ("undo", form.canUndo, !model.done.isEmpty)
      differ("redo", form.canRedo, !model.undone.isEmpty)
      differ("phase", form.phase, model.phase)
      differ("focus", form.focusedField?.key ?? "", model.focus.map { ModelForm.keys[$0] } ?? "")
      let reports = model.formReports.keys.sorted().compactMap { model.formReports[$0] }
      differ("form's issues", form.issues.map(\.code), reports)
      differ("announcements", form.announcement?.id ?? 0, model.announcementCount)
      return !isAtFault
    }

    private func checkItems() {
      let shown = form.fields[ModelForm.tags].items
      let entry = model.fields[ModelForm.tags]
      differ("items", shown.map(\.text), model.items.map(model.itemText))
      differ("values", tags.value, entry.now.value.items?.map(\.value))
      for (real, item) in zip(shown, model.items) {
        let known = identities[real.id]
        if known == nil { identities[real.id] = item.id }
        differ("identity", known ?? item.id, item.id)
        let draft = entry.now.itemDrafts[item.id].flatMap(ModelForm.itemDraftCode)
        let issue = draft ?? entry.itemIssues[item.id]
        differ("item's issues", real.issues.map(\.code), issue.map { [$0] } ?? [])
        differ("item touched", real.isTouched, entry.touchedItems.contains(item.id))
        let isSame = entry.baseline.items?.contains(item) == true
        differ("item modified", real.isModified, draft != nil || !isSame)
      }
    }
  }

  @Test(
    "Random edits, focus, submits, reports, undo and late answers",
    arguments: 0..<10)
  func sequences(block: Int) async {
    for seed in UInt64(block * 1_000)..<UInt64(block * 1_000 + Rounds.of(1_000)) {
      let pair = Pair(seed: seed)
      for step in 0..<12 {
        await pair.act()
        guard pair.check() else {
          Issue.record("seed \(seed), step \(step): \(pair.story.joined(separator: "; "))")
          return pair.end()
        }
      }
      pair.end()
    }
  }
}
