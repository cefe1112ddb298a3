import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Testing

@Suite("What validation keeps alive")
struct ValidationLifetimeTests {
  final class Owner {}

  @Test("A field with rules, observers and issues goes with its owner")
  func field() {
    weak var gone: Field<String>?
    weak var captured: Owner?
    var registration: Registration?
    do {
      let owner = Owner()
      captured = owner
      let field = Field<String>("Name", value: "").require(.notBlank).require(.pattern(/a+/))
        .require(.all([.email, .url]) || .oneOf("a")).require { _ in
          withExtendedLifetime(owner) {}
          return true
        }.tracked()
      gone = field
      registration = field.observeValidation { [unowned field] _ in _ = field.issues }
      field.validate()
      field.addIssue(FieldIssue(code: "odd"))
      #expect(gone != nil && captured != nil)
    }
    #expect(gone == nil && captured == nil)
    withExtendedLifetime(registration) {}
  }

  @Test("A rule keeps none of the fields that it looks at, and they do not keep it")
  func dependent() {
    weak var gone: Field<Int>?
    weak var source: Field<Int>?
    let field = Field<Int>(value: 1)
    do {
      let other = Field<Int>(value: 1)
      let looking = Field<Int>(value: 1).require(.equal(to: other))
      field.require(.equal(to: other)).require(.depending(on: other) { _, _ in true })
      (gone, source) = (looking, other)
      #expect(field.validate() == .valid && looking.validate() == .valid)
      other.value = 2
      #expect(field.validationState.isInvalid)
    }
    #expect(gone == nil && source == nil)
  }

  @Test("A source outlives the field that looked at it, and changes without it")
  func sourceOutlives() {
    let source = Field<Int>(value: 1)
    do {
      let field = Field<Int>(value: 1).require(.equal(to: source))
      field.validate()
    }
    source.value = 2
    source.value = 3
    #expect(source.observerCount == 0)
  }

  @Test("An array goes with its items' rules")
  func array() {
    weak var gone: ArrayField<String>?
    weak var inner: Field<String>?
    let limit = Field<Int>(value: 1)
    do {
      let element = Field<String>("Tag").require(.depending(on: limit) { $0.count <= $1 ?? 0 })
      let tags = *element
      (gone, inner) = (tags, element)
      tags.value = ["a", "bb"]
      tags.validate()
      limit.value = 2
      #expect(tags.validationState == .valid)
    }
    #expect(gone == nil && inner == nil)
    limit.value = 3
  }

  @Test("A question that was given up lets go of all it held")
  @MainActor func question() async {
    weak var gone: Field<Int>?
    weak var owner: Owner?
    let gate = Gate()
    do {
      let (field, captured) = (Field<Int>(value: 1), Token())
      field.require(
        .asynchronous { _ in
          try await gate.waitUnlessCancelled()
          return withExtendedLifetime(captured) { true }
        })
      gone = field
      let validation = Task { await field.validateAll() }
      await gate.arrivals(atLeast: 1)
      field.value = 2
      _ = await validation.value
    }
    #expect(gone == nil && owner == nil)
    owner = nil
  }

  final class Token: Sendable {}

  @Test("A closure that is not registered any more is let go of at the next change")
  func registration() {
    weak var captured: Owner?
    let field = Field<Int>(value: 1).require(.atLeast(1))
    do {
      let owner = Owner()
      captured = owner
      let registration = field.observeValidation { _ in withExtendedLifetime(owner) {} }
      field.validate()
      registration.cancel()
    }
    field.value = 2
    #expect(captured == nil)
  }
}
