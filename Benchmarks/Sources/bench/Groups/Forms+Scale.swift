import Fieldstone
import Harness

/// What a form does with all its fields, by the field: a form of 10,000 against one of 100.
let formScale = [
  scale("make", setup: { FormParts($0) }) { $0.makeForm() },
  scale("fill", setup: { FormParts($0).made() }) { try $0.fill() },
  scale("batch", setup: { FormParts($0).made() }) { $0.setAll() },
  scale("validate", setup: { try FormParts($0).made().filled() }) { await $0.validate() },
  scale("rules", setup: { FormParts($0).made().ruled() }) { await $0.breakRules() },
  scale("reset", setup: { try FormParts($0).made().filled() }) { $0.form?.reset() },
  scale("undo", setup: { try FormParts($0).made().filled() }) { $0.form?.undo() },
  itemScale("append, each validated") { try $0.append() },
  itemScale("items read once") { $0.read() },
]

/// A form's work on so many fields, and the same on a hundredth of them.
private func scale(
  _ name: String, setup: @escaping @MainActor (Int) throws -> FormParts,
  _ body: @escaping @MainActor (FormParts) async throws -> Void
) -> Group {
  Group("form-scale-\(name)", floor: "fieldstone, 100 fields") {
    // As many fields a sample: one form after the other, all of them made before.
    Case.onMainActor("fieldstone, 100 fields", operations: 10_000, runs: 1) {
      try (0..<100).map { _ in try setup(100) }
    } _: {
      for parts in $0 { try await body(parts) }
    }
    Case.onMainActor(
      "fieldstone, 10,000 fields", operations: 10_000, runs: 1, goals: [.atMost(1.5)]
    ) {
      try setup(10_000)
    } _: {
      try await body($0)
    }
  }
}

/// A form's work on a field of so many items, and the same on a hundredth of them.
private func itemScale(
  _ name: String, _ body: @escaping @MainActor (FormItems) throws -> Void
) -> Group {
  let name = "form-scale-\(name.split(separator: ",")[0].split(separator: " ")[0])"
  return Group(name, floor: "fieldstone, 80 items") {
    Case.onMainActor("fieldstone, 80 items", operations: 8_000, runs: 1) {
      (0..<100).map { _ in FormItems(80) }
    } _: {
      for parts in $0 { try body(parts) }
    }
    Case.onMainActor("fieldstone, 8,000 items", operations: 8_000, runs: 1, goals: [.atMost(1.5)]) {
      FormItems(8_000)
    } _: {
      try body($0)
    }
  }
}

/// The fields of a form, and the form once it is made.
@MainActor
private final class FormParts {
  let fields: [Field<Int>]
  private(set) var form: FormModel?

  /// What all rules of the form look at; it is not in the form.
  private let limit = Field<Int>("Limit", value: 0)

  init(_ count: Int) {
    fields = (0..<count).map { Field<Int>("Field \($0)").require(.greaterThan(-1)) }
  }

  func makeForm() {
    form = FormModel {
      for field in fields { field }
    }
  }

  func made() -> FormParts {
    makeForm()
    return self
  }

  /// With an edit of all fields.
  func filled() throws -> FormParts {
    try fill()
    setAll()
    return self
  }

  /// With as many rules as fields, half of them at one field and half at the form itself.
  func ruled() -> FormParts {
    for (index, field) in fields.enumerated() {
      form?.require(limit, field, at: index.isMultiple(of: 2) ? fields[0] : nil) { limit, _ in
        limit == 0
      }
    }
    return self
  }

  /// Asks all rules, which hold, and again when none does any more.
  func breakRules() async {
    blackHole(await form?.validate())
    limit.value = 1
    blackHole(form?.invalidCount)
  }

  func fill() throws {
    let values = fields.map { ($0.key, JSONValue.integer(1)) }
    try form?.fill(values: Dictionary(uniqueKeysWithValues: values))
  }

  func setAll() {
    Fields.batch {
      for field in fields { field.value = 2 }
    }
  }

  func validate() async {
    blackHole(await form?.validate())
  }
}

/// A form with one field of many items.
@MainActor
private final class FormItems {
  private let count: Int
  private let full: ArrayField<Int>
  private let empty = *Field<Int>("Number").require(.greaterThan(-1))
  private let form: FormModel

  init(_ count: Int) {
    self.count = count
    let full = ArrayField(Field<Int>("Number"), value: Array(0..<count))
    self.full = full
    let empty = empty
    form = FormModel(timing: .onChange) {
      full
      empty
    }
  }

  func append() throws {
    for number in 0..<count {
      empty.append(number)
      blackHole(form.fields[1].messages)
    }
  }

  func read() {
    blackHole(form.fields[0].items.count)
  }
}
