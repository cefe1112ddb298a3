import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting

/// Somebody else who knows which codes are taken, and answers when the test lets it.
final class Oracle: Sendable {
  let asked = Recorder<String>()
  let taken: Set<String>
  private let gates = Locked<[String: Gate]>([:])
  private let isOpen: Bool

  /// - Parameter isOpen: whether it answers at once.
  init(taken: Set<String> = ["LOWW"], isOpen: Bool = false) {
    self.taken = taken
    self.isOpen = isOpen
  }

  func gate(for code: String) -> Gate {
    gates.withLock { gates in
      if let gate = gates[code] { return gate }
      let gate = Gate()
      gates[code] = gate
      return gate
    }
  }

  /// Lets the answers for a code out, those of earlier questions, too.
  func answer(_ code: String) { gate(for: code).open() }

  /// The rule that asks it; it does not heed cancellation unless told to.
  func rule(
    debounce: Duration = .zero, heedsCancellation: Bool = false
  ) -> AsyncFieldRule<String> {
    .asynchronous("is taken already", code: "taken", debounce: debounce) { [self] code in
      asked.record(code)
      if !isOpen {
        let gate = gate(for: code)
        if heedsCancellation { try await gate.waitUnlessCancelled() } else { await gate.wait() }
      }
      return !taken.contains(code)
    }
  }
}

/// Waits until a state of a field is as described, without looking again and again.
@MainActor
func waitForState(of field: FormField, until isMet: (ValidationState) -> Bool) async {
  let heard = Recorder<Void>()
  let registration = field.field.observeValidation { _ in heard.record(()) }
  while !isMet(field.state), !Task.isCancelled {
    await heard.elements(atLeast: heard.count + 1)
  }
  withExtendedLifetime(registration) {}
}

extension FormModel {
  /// A field that the test knows to be there.
  func at(_ key: String) -> FormField { self[key]! }
}

extension FormField {
  var codes: [String] { issues.map(\.code) }
}
