import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneScreens
import FieldstoneTesting
import Testing
import UIKit

@Suite("UIKit: the controls of a form", .timeLimit(.minutes(20)))
@MainActor
struct FormControlTests {
  let person = PersonForm()
  let shown: Shown<FormViewController>

  init() {
    shown = Shown(FormViewController(person.form) {})
  }

  private func line(_ label: String) throws -> UITextField {
    try #require(shown.element(label, UITextField.self))
  }

  @Test("Sections, labels and help are there in declared order, and titles are headers")
  func order() {
    let labels = shown.visible(UILabel.self)
    #expect(
      labels.compactMap(\.text).filter { !$0.isEmpty } == [
        "Person", "Name", "As in the passport.", "Email", "Age", "Height", "Password", "Pilot",
        "Colour", "Born", "More", "Notes", "Tags", "Scores",
      ])
    let headers = labels.filter { $0.accessibilityTraits.contains(.header) }
    #expect(headers.compactMap(\.text) == ["Person", "More"])
    // Labels and help are said with their controls, and not twice.
    #expect(labels.filter(\.isAccessibilityElement).compactMap(\.text) == ["Person", "More"])
    #expect(shown.button("Save")?.accessibilityLabel == "Save")
  }

  @Test("Each line has the keyboard, the meaning and the secrecy of its field")
  func keyboards() throws {
    let name = try line("Name, required")
    #expect(name.placeholder == "Ada" && name.accessibilityHint == "As in the passport.")
    #expect(name.textContentType == .name && name.keyboardType == .default)
    #expect(name.autocorrectionType == .default && !name.isSecureTextEntry)
    let email = try line("Email")
    #expect(email.keyboardType == .emailAddress && email.textContentType == .emailAddress)
    #expect(email.autocapitalizationType == .none && email.autocorrectionType == .no)
    #expect(try line("Age").keyboardType == .numbersAndPunctuation)
    #expect(try line("Height").keyboardType == .numbersAndPunctuation)
    let password = try line("Password")
    #expect(password.isSecureTextEntry && password.textContentType == .newPassword)
    #expect(password.autocorrectionType == .no)
    #expect(try line("New item of Scores").keyboardType == .numbersAndPunctuation)
  }

  @Test("Every keyboard and every meaning has one in UIKit, and no two meanings the same")
  func meanings() {
    #expect(Set(FieldContentType.allCases.map(\.rawValue)).count == FieldContentType.allCases.count)
    let forms = FieldContentType.allCases.map { type in
      FormModel { Field<String>("T").presented(keyboard: .ascii, contentType: type) }
    }
    let types = forms.map { form in
      Shown(FormViewController(form) {}).visible(UITextField.self).first?.textContentType?.rawValue
    }
    #expect(Set(types.compactMap(\.self)).count == FieldContentType.allCases.count)
    let keyboards = FieldKeyboard.allCases.map { keyboard in
      let form = FormModel { Field<String>("T").presented(keyboard: keyboard) }
      return Shown(FormViewController(form) {}).visible(UITextField.self).first?.keyboardType
    }
    #expect(
      keyboards == [
        .default, .asciiCapable, .emailAddress, .URL, .phonePad, .numbersAndPunctuation,
        .numbersAndPunctuation,
      ])
  }

  @Test("What is typed is the field's, and what others set is shown")
  func typing() async throws {
    let name = try line("Name, required")
    name.tap()
    #expect(person.form.focusedField === person.form["name"])
    name.type("Ada L.")
    #expect(person.name.value == "Ada L.")
    person.name.value = "Grace"
    await StandIn.until { name.text == "Grace" }
  }

  @Test("Characters that may not be typed are dropped, but not while they are composed")
  func characters() async throws {
    let age = try line("Age")
    age.tap()
    age.type("4x2")
    #expect(age.text == "42" && person.age.value == 42)
    let name = try line("Name, required")
    name.tap()
    name.markedTextRange = UITextRange()
    name.type("にh")
    #expect(name.text == "にh")
    // What others set waits, too: rows are brought up to date in the order of their changes.
    person.name.value = "Grace"
    person.email.value = "ada@example.org"
    let email = try line("Email")
    await StandIn.until { email.text == "ada@example.org" }
    #expect(name.text == "にh")
    age.tap()
    age.markedTextRange = UITextRange()
    age.type("1ｘ")
    #expect(age.text == "1ｘ" && person.age.value == 42)
  }

  @Test("A character that is dropped leaves the caret where it was, and typing goes on there")
  func caret() throws {
    let age = try line("Age")
    age.tap()
    age.type("15")
    age.caret = 1
    age.insert("x")
    #expect(age.text == "15" && age.caret == 1)
    age.insert("2")
    #expect(age.text == "125" && age.caret == 2 && person.age.value == 125)
  }

  @Test("A box of several lines shows its placeholder until there is a text")
  func placeholder() async throws {
    let note = Field<String>("Note").presented(as: .multiline(lines: 2), placeholder: "Say it all.")
    let shown = Shown(FormViewController(FormModel { note }) {})
    #expect(shown.texts.contains("Say it all."))
    let box = try #require(shown.element("Note", UITextView.self))
    box.becomeFirstResponder()
    box.type("a")
    await StandIn.until { !shown.texts.contains("Say it all.") }
    note.value = nil
    await StandIn.until { shown.texts.contains("Say it all.") }
  }

  @Test("The first item with an issue gets the keyboard after a refused submit")
  func wrongItem() async throws {
    person.name.value = "Ada"
    person.tags.value = ["one", "much too long", "three"]
    let shown = Shown(FormViewController(person.form) { Issue.record("It was sent.") })
    let second = try #require(shown.element("Tags 2", UITextField.self))
    shown.button("Save")?.tap()
    await StandIn.until { second.isFirstResponder }
  }

  @Test("A new item that is typed but not added goes with what was edited")
  func itemOfOtherValues() async throws {
    let add = try line("New item of Tags")
    add.becomeFirstResponder()
    add.type("vip")
    person.form.reset()
    await StandIn.until { add.text == "" }
    add.resignFirstResponder()
    #expect(person.tags.value?.isEmpty ?? true)
  }

  @Test("A text that can't be read stays as it was typed, with its issue under it")
  func unreadable() async throws {
    let height = try line("Height")
    height.tap()
    height.type("1.2.3")
    await StandIn.until { shown.texts.contains { $0.hasPrefix("Height must be a number") } }
    #expect(height.text == "1.2.3" && person.height.value == nil)
    #expect(height.accessibilityHint?.hasPrefix("Height must be a number") == true)
    height.type("1.5")
    await StandIn.until { !shown.texts.contains { $0.hasPrefix("Height must be a number") } }
    #expect(height.accessibilityHint == nil && person.height.value == 1.5)
  }

  @Test("A switch is a field's yes or no, in both directions")
  func toggle() async throws {
    let toggle = try #require(shown.element("Pilot", UISwitch.self))
    #expect(!toggle.isOn)
    toggle.tap()
    #expect(person.isPilot.value == true)
    person.isPilot.value = false
    await StandIn.until { !toggle.isOn }
    toggle.tap()
    toggle.tap()
    #expect(person.isPilot.value == false)
  }

  @Test("A choice is a menu of what can be chosen, none included")
  func choice() async throws {
    let button = try #require(shown.element("Colour", UIButton.self))
    #expect(button.accessibilityValue == "None")
    func titles(_ state: UIMenuElement.State) -> [String] {
      let children = button.menu?.children.compactMap { $0 as? UIAction } ?? []
      return children.filter { $0.state == state }.map(\.title)
    }
    #expect(titles(.on) == ["None"] && titles(.off) == ["Red", "Green"])
    button.choose("Green")
    #expect(person.color.value == "g")
    await StandIn.until { button.configuration?.title == "Green" }
    #expect(button.accessibilityValue == "Green" && titles(.on) == ["Green"])
    button.choose("None")
    await StandIn.until { button.configuration?.title == "None" }
    #expect(person.color.value == nil)
    person.color.value = "blue"
    await StandIn.until { button.configuration?.title == "blue" }
    #expect(titles(.on) == [])
  }

  @Test("A date is set, picked and removed")
  func date() async throws {
    let now = Date(timeIntervalSinceReferenceDate: 12_345)
    shown.controller.time = ManualTime(now: now).source
    let choose = try #require(shown.button("Set date"))
    #expect(choose.accessibilityLabel == "Born")
    #expect(shown.visible(UIDatePicker.self).isEmpty && shown.button("Clear") == nil)
    choose.tap()
    #expect(person.born.value == now)
    await StandIn.until { !shown.visible(UIDatePicker.self).isEmpty }
    let picker = try #require(shown.element("Born", UIDatePicker.self))
    #expect(picker.date == now && !choose.isOnScreen)
    picker.pick(now.addingTimeInterval(60))
    #expect(person.born.value == now.addingTimeInterval(60))
    person.born.value = now.addingTimeInterval(90)
    await StandIn.until { picker.date == now.addingTimeInterval(90) }
    #expect(shown.button("Clear")?.accessibilityLabel == "Clear Born")
    shown.button("Clear")?.tap()
    await StandIn.until { choose.isOnScreen }
    #expect(person.born.value == nil && !picker.isOnScreen && shown.button("Clear") == nil)
  }

  @Test("A date whose field has another type is typed")
  func dateAsText() {
    let form = FormModel { Field<String>("When").presented(as: .date) }
    let shown = Shown(FormViewController(form) {})
    #expect(shown.element("When", UITextField.self) != nil)
  }

  @Test("Several lines are typed into a text view")
  func lines() async throws {
    let notes = try #require(shown.element("Notes", UITextView.self))
    notes.becomeFirstResponder()
    #expect(person.form.focusedField === person.form["notes"])
    notes.type("one\ntwo")
    #expect(person.notes.value == "one\ntwo")
    person.notes.value = "three"
    await StandIn.until { notes.text == "three" }
    notes.resignFirstResponder()
    #expect(person.form.focusedField == nil && person.form["notes"]?.isTouched == true)
  }

  @Test("Items are added by the return key, edited, removed, and keep their lines when moved")
  func items() async throws {
    let add = try line("New item of Tags")
    add.becomeFirstResponder()
    add.type("one")
    add.pressReturn()
    #expect(add.isFirstResponder && add.text == "")
    add.type("two")
    add.resignFirstResponder()
    #expect(person.tags.value == ["one", "two"])
    await StandIn.until { shown.element("Tags 2", UITextField.self) != nil }
    let (first, second) = (try line("Tags 1"), try line("Tags 2"))
    #expect(first.text == "one" && second.text == "two")
    second.tap()
    second.type("much too long")
    person.form["tags"]?.field.validateIfNeeded()
    await StandIn.until { second.accessibilityHint != nil }
    #expect(second.accessibilityHint?.hasPrefix("Tags 2 must have at most 5") == true)
    #expect(first.accessibilityHint == nil)
    let id = try #require(person.form["tags"]?.items.last?.id)
    person.form["tags"]?.moveItem(id, to: 0)
    await StandIn.until { second.accessibilityLabel == "Tags 1" }
    #expect(second.isFirstResponder && first.accessibilityLabel == "Tags 2")
    shown.element("Remove Tags 1", UIButton.self)?.tap()
    await StandIn.until { second.superview?.superview == nil }
    #expect(person.tags.value == ["one"])
    #expect(shown.element("Tags 1", UITextField.self) === first)
  }

  @Test("A line that goes while it is typed into is left, and what is wrong then is shown")
  func goneLine() async throws {
    let person = PersonForm(timing: .onBlur)
    person.tags.value = ["one"]
    let shown = Shown(FormViewController(person.form) {})
    let line = try #require(shown.element("Tags 1", UITextField.self))
    line.tap()
    person.tags.value = ["much", "too long"]
    await StandIn.until { shown.texts.contains { $0.contains("must have at most 5") } }
    #expect(!line.isOnScreen && person.form.focusedField == nil)
  }

  @Test("An item that can't be read is not added, and stays to be corrected")
  func unreadableItem() async throws {
    let add = try line("New item of Scores")
    add.becomeFirstResponder()
    add.type("1-2")
    add.pressReturn()
    #expect(add.text == "1-2" && person.scores.value?.isEmpty ?? true)
    await StandIn.until { shown.texts.contains { $0.hasPrefix("Scores must be a whole") } }
  }

  @Test("The issue of a new item goes when its line is emptied or gets another text")
  func refusedItem() async throws {
    let add = try line("New item of Scores")
    for text in ["", "1-3"] {
      add.becomeFirstResponder()
      add.type("1-2")
      add.resignFirstResponder()
      #expect(person.form.invalidCount == 1)
      add.becomeFirstResponder()
      add.type(text)
      #expect(person.form.invalidCount == 0 && person.form["scores"]?.issues.isEmpty == true)
    }
    add.type("")
    add.resignFirstResponder()
    await StandIn.until { !shown.texts.contains { $0.hasPrefix("Scores must be a whole") } }
    #expect(person.form.invalidCount == 0)
  }

  @Test("A form is not submitted without a new item that can't be read, which gets the keyboard")
  func unreadableItemAtSubmit() async throws {
    let sent = Recorder<Void>()
    let (first, second) = (
      ArrayField(Field<Int>("One"), name: "Ones"), ArrayField(Field<Int>("Two"), name: "Twos")
    )
    let screen = FormViewController(
      FormModel {
        first; second
      }
    ) { sent.record(()) }
    let shown = Shown(screen)
    let one = try #require(shown.element("New item of Ones", UITextField.self))
    let two = try #require(shown.element("New item of Twos", UITextField.self))
    for (line, text) in [(one, "4"), (two, "1-2")] {
      line.becomeFirstResponder()
      line.type(text)
    }
    screen.submit()
    #expect(sent.count == 0 && two.text == "1-2" && two.isFirstResponder && first.value == [4])
    two.type("12")
    screen.submit()
    await StandIn.until { sent.count == 1 }
    #expect(second.value == [12])
  }

  @Test("Secret items are hidden as they are typed, and nothing corrects them")
  func secretItems() async throws {
    let codes = ArrayField(
      Field<String>("Code").presented(as: .secure), name: "Codes", value: ["s3cret", "0ther"])
    let shown = Shown(FormViewController(FormModel { codes }) {})
    let lines = shown.visible(UITextField.self)
    #expect(lines.count == 3 && lines.allSatisfy(\.isSecureTextEntry))
    #expect(lines.allSatisfy { $0.autocorrectionType == .no && $0.autocapitalizationType == .none })
  }

  @Test("Characters that may not be typed are dropped in each line of a list, too")
  func charactersOfItems() throws {
    person.scores.value = [1]
    let shown = Shown(FormViewController(person.form) {})
    for name in ["Scores 1", "New item of Scores"] {
      let line = try #require(shown.element(name, UITextField.self))
      line.tap()
      line.markedTextRange = UITextRange()
      line.type("ｘ")
      #expect(line.text == "ｘ")
      line.markedTextRange = nil
      line.type("4x2")
      #expect(line.text == "42")
    }
  }

  @Test("Characters that may not be typed are dropped among several lines, which stay lines")
  func charactersOfLines() throws {
    let note = Field<String>("Note")
      .presented(as: .multiline(lines: 2), allowedCharacters: .digits)
    let shown = Shown(FormViewController(FormModel { note }) {})
    let box = try #require(shown.element("Note", UITextView.self))
    box.becomeFirstResponder()
    box.type("1a\n2b\r\n3")
    #expect(box.text == "1\n2\r\n3" && note.value == "1\n2\r\n3")
    box.markedTextRange = UITextRange()
    box.type("1に")
    #expect(box.text == "1に")
  }

  @Test(
    "The picker of a date has the time zone in which the field is typed",
    arguments: [FieldKind.date, .day, .time])
  func timeZones(kind: FieldKind) throws {
    let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
    let now = Date(timeIntervalSinceReferenceDate: 0)
    let zoned = Field<Date>("Zoned", value: now).presented(as: kind)
      .transform(with: .date(format: "yyyy-MM-dd", timeZone: tokyo))
    let typed = Field<Date>("Typed", value: now).text(as: .day(in: tokyo)).presented(as: kind)
    let plain = Field<Date>("Plain", value: now).presented(as: kind)
    let moment = Field<Date>("Moment", value: now).presented(as: kind).transform(with: .iso8601)
    let form = FormModel {
      zoned; typed; plain; moment
    }
    let shown = Shown(FormViewController(form) {})
    #expect(shown.visible(UIDatePicker.self).map(\.timeZone) == [tokyo, tokyo, nil, nil])
  }
}
