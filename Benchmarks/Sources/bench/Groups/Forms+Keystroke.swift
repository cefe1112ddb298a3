import Fieldstone
import Harness

/// A key typed into one field of a form of so many, validated at each change.
let form100 = Group("form-100", floor: "fieldstone, a form of 10 fields") {
  Case.onMainActor("fieldstone, a form of 10 fields") {
    TypedForm(10)
  } _: {
    $0.type()
  }
  Case.onMainActor("fieldstone, a form of 100 fields", goals: [.atMost(1.3)]) {
    TypedForm(100)
  } _: {
    $0.type()
  }
  Case.onMainActor("fieldstone, a form of 1,000 fields") {
    TypedForm(1_000)
  } _: {
    $0.type()
  }
}

/// A form into whose middle field is typed, and that a screen looks at after each key.
@MainActor
private final class TypedForm {
  private let fields: [Field<String>]
  private let form: FormModel
  private let typed: FormField?
  private var isLonger = false

  init(_ count: Int) {
    let fields = (0..<count).map { number in
      Field<String>("Field \(number)").require(.notBlank).require(.length(...40))
    }
    self.fields = fields
    form = FormModel(timing: .onChange) {
      for field in fields { field }
    }
    typed = form.fields[count / 2]
    typed?.focus()
  }

  func type() {
    guard let typed else { return }
    isLonger.toggle()
    typed.text = isLonger ? "Reykjavik" : "Reykjavi"
    blackHole(typed.text)
    blackHole(typed.messages)
    blackHole(form.isModified)
    blackHole(form.invalidCount)
  }
}
