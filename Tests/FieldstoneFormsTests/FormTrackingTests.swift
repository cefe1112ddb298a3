import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Observation
import Testing

@Suite("A form's properties in tracked reads")
@MainActor
struct FormTrackingTests {
  private let name = Field<String>("Name", value: "a").require(.notBlank)
  private let size = Field<Int>("Size", value: 1).require(.range(0...9))
  private let tags = ArrayField(Field<Int>("Tag"), name: "Tags", value: [1, 2])
  private let form: FormModel

  init() {
    let (name, size, tags) = (name, size, tags)
    form = FormModel(timing: .onChange) {
      name; size; tags
    }
  }

  private func isTold(_ read: () -> Void, by change: () -> Void) -> Bool {
    let told = Recorder<Void>()
    withObservationTracking(read) { told.record(()) }
    change()
    return told.count == 1
  }

  @Test("A field's text follows typing, code, undo and leaving")
  func text() {
    let field = form.at("Size")
    #expect(
      isTold {
        _ = field.text
      } by: {
        field.text = "2"
      })
    #expect(
      isTold {
        _ = field.text
      } by: {
        field.text = "x"
      })
    #expect(
      isTold {
        _ = field.text
      } by: {
        size.value = 2
      })
    #expect(
      isTold {
        _ = field.text
      } by: {
        size.value = 3
      })
    field.text = "04"
    #expect(
      isTold {
        _ = field.text
      } by: {
        field.blur()
      })
    #expect(
      isTold {
        _ = field.text
      } by: {
        form.undo()
      })
    #expect(
      !isTold {
        _ = field.text
      } by: {
        name.value = "b"
      })
  }

  @Test("Issues, messages and state follow all that changes them")
  func issues() {
    let field = form.at("Size")
    #expect(
      isTold {
        _ = field.issues
      } by: {
        size.value = 10
      })
    #expect(
      isTold {
        _ = field.state
      } by: {
        size.value = 1
      })
    #expect(
      isTold {
        _ = field.state
      } by: {
        field.text = "x"
      })
    #expect(
      isTold {
        _ = field.issues
      } by: {
        size.value = 2
      })
    #expect(
      isTold {
        _ = field.issues
      } by: {
        form.report([FieldIssue("a").at("Size")])
      })
    #expect(
      isTold {
        _ = field.issues
      } by: {
        form.removeReports()
      })
    #expect(
      isTold {
        _ = field.issues
      } by: {
        size.addIssue(FieldIssue("a"))
      })
    #expect(
      isTold {
        _ = field.messages
      } by: {
        form.language = .german
      })
    form.require(name, size, at: size) { name, _ in name == "a" }
    #expect(
      isTold {
        _ = field.issues
      } by: {
        name.value = "b"
      })
    #expect(
      isTold {
        _ = field.state
      } by: {
        name.value = "a"
      })
    #expect(
      isTold {
        _ = form.firstInvalidField
      } by: {
        size.value = 11
      })
    #expect(
      isTold {
        _ = form.isKnownValid
      } by: {
        size.value = 1
      })
  }

  @Test("Touched, modified, edited and focus")
  func marks() {
    let field = form.at("Size")
    #expect(
      isTold {
        _ = field.isFocused
      } by: {
        field.focus()
      })
    #expect(
      isTold {
        _ = form.focusedField
      } by: {
        form.at("Name").focus()
      })
    #expect(
      isTold {
        _ = form.isTouched
      } by: {
        form.at("Name").blur()
      })
    #expect(
      isTold {
        _ = field.isModified
      } by: {
        size.value = 2
      })
    #expect(
      isTold {
        _ = field.isModified
      } by: {
        size.value = 1
      })
    form.reset()
    #expect(
      isTold {
        _ = field.isEdited
      } by: {
        size.value = 2
      })
    #expect(
      isTold {
        _ = form.isModified
      } by: {
        form.reset()
      })
    #expect(
      isTold {
        _ = form.modifiedCount
      } by: {
        size.value = 2
      })
    #expect(
      isTold {
        _ = form.invalidCount
      } by: {
        size.value = 12
      })
  }

  @Test("Items follow typing, moves, touches, reports and the baseline")
  func items() throws {
    let field = form.at("Tags")
    let first = field.items[0].id
    func isTold(by change: () -> Void) -> Bool { self.isTold({ _ = field.items }, by: change) }
    #expect(isTold { field.setText("x", of: first) })
    #expect(isTold { field.setText("5", of: first) })
    #expect(isTold { field.touch(first) })
    #expect(isTold { field.moveItem(first, to: 1) })
    #expect(isTold { form.report([FieldIssue("a").at("Tags", "0")]) })
    #expect(isTold { field.appendItem("3") })
    #expect(isTold { tags.value = [1] })
    #expect(self.isTold({ _ = field.items[0].isModified }, by: { form.rebaseline() }))
  }

  @Test("Undo, redo, phase, announcement and issues of the form")
  func whole() async {
    #expect(
      isTold {
        _ = form.canUndo
      } by: {
        name.value = "b"
      })
    #expect(
      isTold {
        _ = form.canRedo
      } by: {
        form.undo()
      })
    #expect(
      isTold {
        _ = form.issues
      } by: {
        form.report([FieldIssue("a")])
      })
    form.require(name) { $0 == "a" }
    #expect(
      isTold {
        _ = form.issues
      } by: {
        name.value = "b"
      })
    name.value = ""
    let told = Recorder<String>()
    withObservationTracking {
      _ = form.phase
    } onChange: {
      told.record("phase")
    }
    withObservationTracking {
      _ = form.announcement
    } onChange: {
      told.record("announcement")
    }
    _ = await form.submit {}
    #expect(told.elements == ["phase", "announcement"])
  }
}
