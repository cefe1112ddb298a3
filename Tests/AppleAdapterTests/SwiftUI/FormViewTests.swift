import Accessibility
import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneScreens
import FieldstoneTesting
import SwiftUI
import Testing

/// A form with a field of most kinds.
@MainActor
private final class Sample {
  enum Size: String, CaseIterable, DefaultTransformable { case small, large }

  let name = Field<String>("Name").require(.notBlank)
    .presented(help: "As it is on the sign.", placeholder: "Heathrow")
  let elevation = Field<Int>("Elevation").require(.range(0...9000), allowNil: true)
  let secret = Field<String>("Password").presented(as: .secure)
  let notes = Field<String>("Notes").presented(as: .multiline(lines: 3))
  let isOpen = Field<Bool>("Open")
  let size = Field<Size>("Size")

  let sent = Recorder<String>()
  var problems: [any Error] = []
  var gate = Gate()

  private(set) lazy var form = FormModel {
    FormSection("Airport") {
      name
      elevation
    }
    FormSection("More") {
      secret
      notes
      isOpen
      size
    }
  }

  init() { gate.open() }

  var screen: FormScreenModel {
    FormScreenModel(form) { [sent, name, self] in
      sent.record(name.value ?? "")
      try await gate.waitUnlessCancelled()
      if !problems.isEmpty { throw problems.removeFirst() }
    }
  }

  var view: FormView { FormView(screen, submit: "Save airport") }
}

@Suite("A form in SwiftUI")
@MainActor
struct FormViewTests {
  private let sample = Sample()

  @Test(
    "The picker of a date has the time zone in which the field is typed",
    arguments: [FieldKind.date, .day, .time])
  func timeZones(kind: FieldKind) throws {
    let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
    let now = Date(timeIntervalSinceReferenceDate: 0)
    let zoned = Field<Date>("Zoned", value: now).presented(as: kind)
      .transform(with: .date(format: "yyyy-MM-dd", timeZone: tokyo))
    let plain = Field<Date>("Plain", value: now).presented(as: kind)
    let form = FormModel {
      zoned; plain
    }
    let pickers = ViewHost(FormView(FormScreenModel(form) {})).all("DatePicker")
    let user = TimeZone.current.identifier
    #expect(pickers.map { $0.modifiers["timeZone"] } == ["Asia/Tokyo", user])
    #expect(pickers.map { $0.modifiers["calendarTimeZone"] } == ["Asia/Tokyo", user])
  }

  @Test("It shows sections, labels, helps and a control for each kind of field")
  func shown() throws {
    let host = ViewHost(sample.view)
    #expect(host.all("Section").map { $0.children.first?.text } == ["Airport", "More", ""])
    let titles = host.all("Text").filter { $0.traits.contains(.isHeader) }
    #expect(titles.map(\.text) == ["Airport", "More"])
    let name = try #require(host.find("TextField", "Name"))
    #expect(name.modifiers["prompt"] == "Heathrow")
    #expect(name.modifiers["keyboardType"] == "default")
    #expect(name.modifiers["autocorrectionDisabled"] == "false")
    #expect(host.words.contains("As it is on the sign."))
    let elevation = try #require(host.find("TextField", "Elevation"))
    #expect(elevation.modifiers["keyboardType"] == "numbersAndPunctuation")
    #expect(elevation.modifiers["autocorrectionDisabled"] == "true")
    let secret = try #require(host.find("SecureField", "Password"))
    #expect(secret.modifiers["textContentType"] == "password")
    #expect(secret.modifiers["textInputAutocapitalization"] == "never")
    let notes = try #require(host.find("TextEditor", "Notes"))
    #expect(notes.modifiers["submitLabel"] == "return")
    #expect(host.all("Text").contains { $0.modifiers["lineLimit"] == "3..." })
    #expect(host.find("Toggle", "Open")?.value == "false")
    #expect(host.find("Picker", "Size")?.options.map(\.words) == ["None", "small", "large"])
    #expect(host.find("Button", "Save airport") != nil)
  }

  @Test("A label above a control is not read out besides the control's own")
  func labels() {
    let host = ViewHost(sample.view)
    let captions = host.all("Text").filter(\.isAccessibilityHidden).map(\.text)
    // The last one gives the lines their room.
    #expect(captions == ["Name", "Elevation", "Password", "Notes", ""])
  }

  @Test("What is typed is in the field, and what the field gets is shown")
  func typing() throws {
    let host = ViewHost(sample.view)
    try host.type("London", into: "Name")
    try host.type("secret", into: "Password", kind: "SecureField")
    try host.tap("Toggle", "Open")
    try host.choose("large", in: "Size")
    #expect(sample.name.value == "London" && sample.secret.value == "secret")
    #expect(sample.isOpen.value == true && sample.size.value == .large)
    #expect(host.find("Toggle", "Open")?.value == "true")
    sample.name.value = "Paris"
    sample.size.value = nil
    host.update()
    #expect(host.find("TextField", "Name")?.value == "Paris")
    #expect(host.find("Picker", "Size")?.value == "None")
  }

  @Test("What can't be read stays as it was typed, with its issue under it and in the hint")
  func unreadable() throws {
    let host = ViewHost(sample.view)
    try host.type("high", into: "Elevation")
    let field = try #require(host.find("TextField", "Elevation"))
    #expect(field.value == "high" && sample.elevation.value == nil)
    let issue = "Elevation must be a whole number, such as 12"
    #expect(field.accessibilityHint == issue)
    #expect(host.find("Label", issue) != nil)
    try host.type("12", into: "Elevation")
    #expect(host.find("TextField", "Elevation")?.accessibilityHint == "")
  }

  @Test("A field that has to be filled in says so before it is validated")
  func required() throws {
    let must = Field<Int>("Count").require(.notNil)
    let form = FormModel {
      must
      Field<Int>("Other")
    }
    let host = ViewHost(FormView(FormScreenModel(form) {}))
    #expect(host.find("TextField", "Count")?.accessibilityHint == "is required")
    #expect(host.find("TextField", "Other")?.accessibilityHint == "")
    try host.type("1", into: "Count")
    #expect(host.find("TextField", "Count")?.accessibilityHint == "")
  }

  @Test("A choice that has to be made offers nothing only while nothing is chosen")
  func choices() throws {
    let size = Field<Sample.Size>("Size").require(.notNil)
    let host = ViewHost(FormView(FormScreenModel(FormModel { size }) {}))
    #expect(host.find("Picker", "Size")?.options.map(\.words) == ["None", "small", "large"])
    try host.choose("small", in: "Size")
    #expect(host.find("Picker", "Size")?.options.map(\.words) == ["small", "large"])
  }

  @Test("What is no option is shown as long as it is there")
  func unknownChoice() throws {
    let code = Field<String>("Code").presented(as: .choice([FieldOption("a", label: "A")]))
    code.value = "z"
    let host = ViewHost(FormView(FormScreenModel(FormModel { code }) {}))
    #expect(host.find("Picker", "Code")?.value == "z")
    try host.choose("A", in: "Code")
    #expect(host.find("Picker", "Code")?.options.map(\.words) == ["None", "A"])
  }

  @Test("A date is set, picked and removed")
  func dates() throws {
    let time = ManualTime()
    let (date, day, hour) = (
      Field<Date>("Opened").presented(as: .date), Field<Date>("Built").presented(as: .day),
      Field<Date>("Opens").presented(as: .time)
    )
    (day.value, hour.value) = (time.source.now, time.source.now)
    let host = ViewHost(
      FormView(
        FormScreenModel(
          FormModel {
            date; day; hour
          }
        ) {}, time: time.source))
    #expect(host.find("DatePicker", "Opened") == nil)
    try host.tap("Button", "Set date")
    #expect(date.value == time.source.now)
    try host.pick(Date(timeIntervalSince1970: 60), in: "Opened")
    #expect(date.value == Date(timeIntervalSince1970: 60))
    try host.tap("Button", "Clear Opened")
    #expect(date.value == nil && host.find("DatePicker", "Opened") == nil)
    try host.tap("Button", "Set date")
    // A day is its first moment, and a time is on the first of January 2000.
    let picked = time.source.now.addingTimeInterval(12_345)
    for (field, format) in [(day, FieldTextFormat<Date>.day()), (hour, .time())] {
      try host.pick(picked, in: field.name)
      #expect(try field.value == format.parse(format.print(picked)) && field.value != picked)
    }
    let components = ["Opened", "Built", "Opens"].map {
      host.find("DatePicker", $0)?.modifiers["components"]
    }
    // Of hours and minutes 1, and of days 2.
    #expect(components == ["3", "2", "1"])
  }
}

@Suite("Submitting a form in SwiftUI")
@MainActor
struct FormViewSubmitTests {
  private let sample = Sample()

  @Test(
    "What is invalid gets the focus, is announced and is said under its field",
    .timeLimit(.minutes(20)))
  func invalid() async throws {
    let said = Recorder<String>()
    try await AccessibilityNotification.$_listener.withValue({ said.record($0) }) {
      let host = ViewHost(sample.view)
      try host.type("high", into: "Elevation")
      host.unfocus()
      try host.tap("Button", "Save airport")
      await host.wait { $0.find("TextField", "Name")?.isFocused == true }
      #expect(sample.form.focusedField?.key == "Name")
      #expect(host.scrolledTo.last == sample.form["Name"].map { AnyHashable($0.id) })
      #expect(host.spokenFocused?.name == "Name")
      #expect(host.words.contains("Name is required"))
      #expect(
        said.elements == [
          "!2 fields need attention: Name is required; "
            + "Elevation must be a whole number, such as 12."
        ])
      #expect(sample.sent.count == 0)
    }
  }

  @Test(
    "While it is on its way the button is disabled, and the fields are not",
    .timeLimit(.minutes(20)))
  func submitting() async throws {
    sample.gate = Gate()
    let host = ViewHost(sample.view)
    try host.type("London", into: "Name")
    try host.tap("Button", "Save airport")
    await host.wait { _ in sample.form.phase == .submitting }
    let button = try #require(host.find("Button", "Save airport"))
    #expect(!button.isEnabled && button.accessibilityValue == "Saving…")
    #expect(host.find("ProgressView") != nil)
    #expect(throws: (any Error).self) { try host.tap("Button", "Save airport") }
    try host.type("London 2", into: "Name")
    sample.gate.open()
    await host.wait { $0.find("ProgressView") == nil }
    #expect(host.find("Button", "Save airport")?.isEnabled == true)
    #expect(sample.sent.elements == ["London"] && sample.form.isModified)
  }

  @Test(
    "What a server refuses is said at its field, which gets the focus", .timeLimit(.minutes(20)))
  func refused() async throws {
    sample.problems = [FormRejection(["Elevation": "is not what the map says"])]
    let host = ViewHost(sample.view)
    try host.type("London", into: "Name")
    try host.tap("Button", "Save airport")
    await host.wait { $0.find("TextField", "Elevation")?.isFocused == true }
    #expect(host.find("Label", "Elevation is not what the map says") != nil)
    #expect(!host.words.contains("The values were refused"))
    try host.type("25", into: "Elevation")
    #expect(host.find("Label", "Elevation is not what the map says") == nil)
  }

  @Test("What belongs to no field is said above the button", .timeLimit(.minutes(20)))
  func formIssues() async throws {
    sample.problems = [FormRejection(["nobody": "There are too many airports."])]
    let host = ViewHost(sample.view)
    try host.type("London", into: "Name")
    try host.tap("Button", "Save airport")
    await host.wait { $0.words.contains("There are too many airports.") }
    let section = try #require(host.all("Section").last)
    #expect(section.words == "There are too many airports. Save airport")
    #expect(host.words.hasPrefix("Airport"))
  }

  @Test("A rejection that no issue shows is said above the button", .timeLimit(.minutes(20)))
  func plainRejection() async throws {
    sample.gate = Gate()
    sample.problems = [FormRejection(["Name": "is taken"]), FormRejection([:])]
    let host = ViewHost(sample.view)
    let text = "The values were refused"
    try host.type("London", into: "Name")
    try host.tap("Button", "Save airport")
    await sample.sent.elements(atLeast: 1)
    try host.type("Paris", into: "Name")
    sample.gate.open()
    await host.wait { $0.find("ProgressView") == nil }
    #expect(host.all("Label").contains { $0.words.hasPrefix(text) && $0.words.contains("taken") })
    try host.tap("Button", "Save airport")
    await sample.sent.elements(atLeast: 2)
    await host.wait { $0.find("ProgressView") == nil }
    #expect(host.all("Label").contains { $0.words.hasPrefix(text) && !$0.words.contains("taken") })
    try host.type("Rome", into: "Name")
    await host.wait { !$0.words.contains(text) }
  }

  @Test("Any other error is shown and announced until the form is edited", .timeLimit(.minutes(20)))
  func failure() async throws {
    let said = Recorder<String>()
    try await AccessibilityNotification.$_listener.withValue({ said.record($0) }) {
      sample.problems = [MessageError("There is no network.")]
      let host = ViewHost(sample.view)
      try host.type("London", into: "Name")
      try host.tap("Button", "Save airport")
      await host.wait { $0.find("Label", "There is no network.") != nil }
      await said.elements(atLeast: 1)
      #expect(said.elements == ["!There is no network."])
      try host.type("Paris", into: "Name")
      await host.wait { $0.find("Label", "There is no network.") == nil }
    }
  }

  @Test("Released under way, it cancels its submit", .timeLimit(.minutes(20)))
  func released() async throws {
    sample.gate = Gate()
    var host: ViewHost? = ViewHost(sample.view)
    try host?.type("London", into: "Name")
    try host?.tap("Button", "Save airport")
    await sample.sent.elements(atLeast: 1)
    host = nil
    while sample.form.phase.isBusy { await changed() }
    #expect(sample.form.phase == .editing)
  }

  /// Waits until the form is doing something else.
  private func changed() async {
    await withCheckedContinuation { continuation in
      withObservationTracking {
        _ = sample.form.phase
      } onChange: {
        continuation.resume()
      }
    }
  }
}
